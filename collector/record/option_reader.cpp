#include "collector/record/option_reader.h"

#include <algorithm>

namespace jitscope::collector {

const std::string* OptionReader::next() {
  if (words_.empty()) return nullptr;
  const std::string& word = words_[0];
  if (word == "--") words_ = words_.subspan(1);
  if (word == "--" || word.size() < 2 || word[0] != '-') return nullptr;
  words_ = words_.subspan(1);
  return &word;
}

std::optional<trace::Result<std::string>> OptionReader::valueOf(const Option& option,
                                                                const std::string& word) {
  const std::string longWithValue = std::string(option.longName) + '=';
  std::string value;
  if (word == option.longName || word == option.shortName) {
    if (!words_.empty()) {
      value = words_[0];
      words_ = words_.subspan(1);
    }
  } else if (word.starts_with(longWithValue)) {
    value = word.substr(longWithValue.size());
  } else if (!option.shortName.empty() && word.starts_with(option.shortName)) {
    value = word.substr(option.shortName.size());
  } else {
    return std::nullopt;
  }
  if (!value.empty()) return value;
  const std::string_view name = word.starts_with("--") ? option.longName : option.shortName;
  return trace::Error{"record: " + std::string(name) + " needs " + std::string(option.value)};
}

std::optional<trace::Result<std::string>> OptionReader::choiceOf(
    const Option& option, const std::string& word,
    std::initializer_list<std::string_view> choices) {
  auto value = valueOf(option, word);
  if (!value || !*value) return value;
  if (std::find(choices.begin(), choices.end(), **value) != choices.end()) return value;
  return trace::Error{"record: " + std::string(option.longName) + " needs " +
                      std::string(option.value) + ", not " + **value};
}

}  // namespace jitscope::collector
