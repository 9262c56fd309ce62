#include "collector/record/arguments.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "trace/closest_word.h"

namespace jitscope::collector {

const char* const kRecordHelp =
    R"(Runs a program and records what it compiles and runs.

usage: jitscope record [OPTIONS] [--] COMMAND...

  -o, --output OUT     where the recording goes; by default jitscope-PROGRAM-DATE.jitscope.
                       One file, or a folder of files when several processes were recorded.
      --graph-level L  node (the default): each kernel of a CUDA graph, at each replay.
                       graph: one row for each replay, which costs the program less.
      --traffic T      off (the default), or sampled: how many bytes the GPU's memory moves, by its
                       counters, which count what all programs do.
  -h, --help           this text
  --                   what follows is the command, even if it looks like an option

The program's input, output, signals and exit status pass through: 128+N when signal N ended it,
127 when it was not found, 126 when it cannot be run.
)";

namespace {

/// An option that takes a value: the next word, what follows `=`, or the rest of a short one.
struct Option {
  std::string_view shortName, longName, value;
};

constexpr Option kOutput{"-o", "--output", "a path"};
constexpr Option kGraphLevel{"", "--graph-level", "node or graph"};
constexpr Option kTraffic{"", "--traffic", "sampled or off"};
constexpr std::array<std::string_view, 6> kOptions = {"-o",        "--output", "--graph-level",
                                                      "--traffic", "-h",       "--help"};

trace::Error unknownOption(const std::string& word) {
  std::string text = "record: unknown option " + word;
  const std::string_view meant = trace::closestWord(word, kOptions);
  if (!meant.empty()) text += "; did you mean " + std::string(meant) + '?';
  return trace::Error{text};
}

/// The words before the command, one after the other.
class OptionReader {
 public:
  explicit OptionReader(std::span<const std::string> words) : words_(words) {}

  /// The next word that is an option; null where the command begins.
  const std::string* next() {
    if (words_.empty()) return nullptr;
    const std::string& word = words_[0];
    if (word == "--") words_ = words_.subspan(1);
    if (word == "--" || word.size() < 2 || word[0] != '-') return nullptr;
    words_ = words_.subspan(1);
    return &word;
  }

  /// The value of `option` when `word` is it; nothing when it is another option.
  std::optional<trace::Result<std::string>> valueOf(const Option& option, const std::string& word) {
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

  /// The same of an option that has but these values.
  std::optional<trace::Result<std::string>> choiceOf(
      const Option& option, const std::string& word,
      std::initializer_list<std::string_view> choices) {
    auto value = valueOf(option, word);
    if (!value || !*value) return value;
    if (std::find(choices.begin(), choices.end(), **value) != choices.end()) return value;
    return trace::Error{"record: " + std::string(option.longName) + " needs " +
                        std::string(option.value) + ", not " + **value};
  }

  std::span<const std::string> rest() const { return words_; }

 private:
  std::span<const std::string> words_;
};

}  // namespace

trace::Result<RecordArguments> parseRecordArguments(std::span<const std::string> words) {
  RecordArguments arguments;
  OptionReader options(words);
  while (const std::string* word = options.next()) {
    if (*word == "-h" || *word == "--help") {
      arguments.wantsHelp = true;
      return arguments;
    }
    if (const auto output = options.valueOf(kOutput, *word)) {
      if (!*output) return output->error();
      arguments.output = **output;
    } else if (const auto level = options.choiceOf(kGraphLevel, *word, {"node", "graph"})) {
      if (!*level) return level->error();
      arguments.graphLevel = **level;
    } else if (const auto traffic = options.choiceOf(kTraffic, *word, {"sampled", "off"})) {
      if (!*traffic) return traffic->error();
      arguments.traffic = **traffic;
    } else {
      return unknownOption(*word);
    }
  }
  arguments.command.assign(options.rest().begin(), options.rest().end());
  if (arguments.command.empty()) {
    return trace::Error{"record: no command; usage: jitscope record [OPTIONS] [--] COMMAND..."};
  }
  return arguments;
}

}  // namespace jitscope::collector
