#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jitscope::analyzer {

/// The long texts of an HTML page, of which each stands in it once, however many cells show its
/// beginning. For one thread.
class LongTexts {
 public:
  /// `text` as HTML: all of it, escaped, when it has at most `most` characters; else its beginning,
  /// which names the place of the rest in `list`.
  std::string html(std::string_view text, size_t most);

  /// All texts that were shortened, as HTML, numbered; empty when none was. What would make the
  /// page larger than a browser bears is shortened here too.
  std::string list() const;

 private:
  std::unordered_map<std::string, size_t> numbers_;  ///< from 1 on, by the text as it is kept
  std::vector<std::string> escaped_;                 ///< by number - 1
  size_t sizeBytes_ = 0;
};

}  // namespace jitscope::analyzer
