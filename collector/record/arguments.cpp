#include "collector/record/arguments.h"

#include <array>
#include <string_view>

#include "trace/closest_word.h"

namespace jitscope::collector {

const char* const kRecordHelp =
    R"(Runs a program and records what it compiles and runs.

usage: jitscope record [-o OUT] [--] COMMAND...

  -o, --output OUT   where the recording goes; by default jitscope-PROGRAM-DATE.jitscope.
                     One file, or a folder of files when several processes were recorded.
  -h, --help         this text
  --                 what follows is the command, even if it looks like an option

The program's input, output, signals and exit status pass through: 128+N when signal N ended it,
127 when it was not found, 126 when it cannot be run.
)";

namespace {

constexpr std::array<std::string_view, 4> kOptions = {"-o", "--output", "-h", "--help"};

trace::Error unknownOption(const std::string& word) {
  std::string text = "record: unknown option " + word;
  const std::string_view meant = trace::closestWord(word, kOptions);
  if (!meant.empty()) text += "; did you mean " + std::string(meant) + '?';
  return trace::Error{text};
}

}  // namespace

trace::Result<RecordArguments> parseRecordArguments(std::span<const std::string> words) {
  RecordArguments arguments;
  bool hasOutput = false;
  size_t next = 0;
  for (; next < words.size(); ++next) {
    const std::string& word = words[next];
    constexpr std::string_view kLongOutput = "--output=";
    if (word == "--") {
      ++next;
      break;
    }
    if (word.size() < 2 || word[0] != '-') break;
    if (word == "-h" || word == "--help") {
      arguments.wantsHelp = true;
      return arguments;
    }
    hasOutput |= word.starts_with("-o") || word.starts_with("--output");
    if (word == "-o" || word == "--output") {
      if (++next == words.size()) return trace::Error{"record: " + word + " needs a path"};
      arguments.output = words[next];
    } else if (word.starts_with(kLongOutput)) {
      arguments.output = word.substr(kLongOutput.size());
    } else if (word.starts_with("-o")) {
      arguments.output = word.substr(2);
    } else {
      return unknownOption(word);
    }
  }
  arguments.command.assign(words.begin() + static_cast<ptrdiff_t>(next), words.end());
  if (hasOutput && arguments.output.empty()) return trace::Error{"record: -o needs a path"};
  if (arguments.command.empty()) {
    return trace::Error{"record: no command; usage: jitscope record [-o OUT] [--] COMMAND..."};
  }
  return arguments;
}

}  // namespace jitscope::collector
