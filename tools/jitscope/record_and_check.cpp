#include "tools/jitscope/record_and_check.h"

#include <optional>
#include <vector>

#include "analyzer/cli.h"
#include "collector/record.h"

namespace {

// The same each time, so that a pipeline finds it.
constexpr const char* kDefaultOutput = "jitscope-check.jitscope";

/// The words in front of the command, sorted by who understands them.
struct Words {
  std::vector<std::string> record, check;
  bool isChecked = false, wantsHelp = false;
  std::string output;
};

/// What stands behind the `=` of an option, or the word after it, which is then taken too.
std::string valueOf(std::span<const std::string> words, size_t& next) {
  const std::string& word = words[next];
  const size_t equals = word.find('=');
  if (equals != std::string::npos) return word.substr(equals + 1);
  return next + 1 < words.size() ? words[++next] : std::string();
}

/// Takes the option at `next`, which is left at its last word.
void sortOption(std::span<const std::string> words, size_t& next, Words& sorted) {
  const std::string& word = words[next];
  const std::string name = word.substr(0, word.find('='));
  const std::optional<bool> takesValue = jitscope::analyzer::checkOptionTakesValue(name);
  if (word == "--check") {
    sorted.isChecked = true;
  } else if (word == "-h" || word == "--help") {
    sorted.wantsHelp = true;
  } else if (const auto option = jitscope::collector::recordOptionAt(words.subspan(next))) {
    const auto taken = words.subspan(next, option->wordCount);
    sorted.record.insert(sorted.record.end(), taken.begin(), taken.end());
    if (option->name == "--output" && !option->value.empty()) sorted.output = option->value;
    next += option->wordCount - 1;
  } else if (takesValue.value_or(false)) {
    sorted.check.insert(sorted.check.end(), {name, valueOf(words, next)});
  } else {
    (takesValue ? sorted.check : sorted.record).push_back(word);
  }
}

Words sortWords(std::span<const std::string> words) {
  Words sorted{.output = kDefaultOutput};
  sorted.record = {"-o", sorted.output};  // one that is given comes later, and wins
  size_t next = 0;
  for (; next < words.size(); ++next) {
    const std::string& word = words[next];
    if (word == "--" || word.size() < 2 || word[0] != '-') break;
    sortOption(words, next, sorted);
  }
  sorted.record.insert(sorted.record.end(), words.begin() + static_cast<std::ptrdiff_t>(next),
                       words.end());
  sorted.check.insert(sorted.check.end(), {"--", sorted.output});
  return sorted;
}

}  // namespace

int recordAndCheck(std::span<const std::string> words) {
  const Words sorted = sortWords(words);
  if (!sorted.isChecked) return jitscope::collector::recordCommand(words);
  if (sorted.wantsHelp)
    return jitscope::collector::recordCommand(std::vector<std::string>{"--help"});
  // First of all: a program may run for hours before a typo would be told.
  if (const int refused = jitscope::analyzer::checkPreflight(sorted.check); refused != 0)
    return refused;
  const int status = jitscope::collector::recordCommand(sorted.record);
  return status != 0 ? status : jitscope::analyzer::checkCommand(sorted.check);
}
