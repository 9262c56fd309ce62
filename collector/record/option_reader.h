#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "trace/result.h"

namespace jitscope::collector {

/// An option. Its value is the next word, what follows `=`, or the rest of a short one.
struct Option {
  std::string_view shortName, longName;
  std::string_view value;  ///< what it may be, in words; empty: the option takes none
};

/// The words before the command, one after the other.
class OptionReader {
 public:
  explicit OptionReader(std::span<const std::string> words) : words_(words) {}

  /// The next word that is an option; null where the command begins.
  const std::string* next();

  /// The value of `option` when `word` is it; nothing when it is another option.
  std::optional<trace::Result<std::string>> valueOf(const Option& option, const std::string& word);

  /// The same of an option that has but these values.
  std::optional<trace::Result<std::string>> choiceOf(
      const Option& option, const std::string& word,
      std::initializer_list<std::string_view> choices);

  std::span<const std::string> rest() const { return words_; }

 private:
  std::span<const std::string> words_;
};

}  // namespace jitscope::collector
