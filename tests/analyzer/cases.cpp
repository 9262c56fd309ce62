#include "tests/analyzer/cases.h"

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace jitscope::analyzer {
namespace {

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, '\t');) result.push_back(cell);
  return result;
}

/// "ev=9 kern_us=3.0; world=None" as the numbers by name.
std::map<std::string, double, std::less<>> numbersOf(const std::string& facts) {
  std::map<std::string, double, std::less<>> result;
  std::stringstream stream(facts);
  for (std::string word; stream >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    while (word.ends_with(',') || word.ends_with(';')) word.pop_back();
    const std::string value = word.substr(equals + 1);
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (!value.empty() && *end == '\0') result.emplace(word.substr(0, equals), number);
  }
  return result;
}

}  // namespace

std::filesystem::path casesFolder() {
  const char* const given = std::getenv("JITSCOPE_CASES");
  const std::filesystem::path folder =
      given != nullptr ? given : JITSCOPE_SOURCE_FOLDER "/../shared/cases";
  return std::filesystem::exists(folder / "manifest.tsv") ? folder : std::filesystem::path();
}

std::vector<Case> casesOf(std::string_view word) {
  enum Column : size_t { kId = 0, kFile = 1, kFormat = 6, kFacts = 9 };
  const std::filesystem::path folder = casesFolder();
  std::vector<Case> result;
  if (folder.empty()) return result;
  std::set<std::string> seen;
  std::ifstream manifest(folder / "manifest.tsv");
  for (std::string line; std::getline(manifest, line);) {
    const std::vector<std::string> row = cells(line);
    if (row.size() <= kFacts || row[kFormat].find(word) == std::string::npos) continue;
    if (!std::filesystem::is_regular_file(folder / row[kFile])) continue;
    if (!seen.insert(row[kFile]).second) continue;
    result.push_back({row[kId], folder / row[kFile], row[kFormat], numbersOf(row[kFacts])});
  }
  return result;
}

}  // namespace jitscope::analyzer
