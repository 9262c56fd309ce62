#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// A real input with known answers: a row of `manifest.tsv`.
struct Case {
  std::string id;
  std::filesystem::path path;
  std::string format;
  std::map<std::string, double, std::less<>> facts;  ///< those that are numbers, by name
};

/// The folder of the cases: $JITSCOPE_CASES, or `shared/cases` beside the repository. Empty where
/// there is none.
std::filesystem::path casesFolder();

/// The cases whose format contains `word` and whose file is there, each file once.
std::vector<Case> casesOf(std::string_view word);

}  // namespace jitscope::analyzer
