#include "collector/record/arguments.h"

#include <algorithm>
#include <string_view>

#include "collector/record.h"
#include "collector/record/option_reader.h"
#include "collector/record/window_options.h"
#include "trace/closest_word.h"

namespace jitscope::collector {

const char* const kRecordHelp =
    R"(Runs a program and records what it compiles and runs.

usage: jitscope record [OPTIONS] [--] COMMAND...

  -o, --output OUT     where the recording goes; by default jitscope-PROGRAM-DATE.jitscope.
                       One file, or a folder of files when several processes were recorded.
      --graph-level L  node (the default): each kernel of a CUDA graph, at each replay.
                       graph: one row for each replay, which costs the program less.
      --traffic LIST   how many bytes the GPU's memory moves; modelled (the default): by the shapes
                       of tensors, which is always there; sampled: by the GPU's counters, which
                       count what all programs do; exact: those of each kernel. For exact the
                       program runs a second time after it has ended, with its kernels one by one:
                       it reads and prints nothing then, and its end counts for nothing, but what
                       else it does (files, network) it does twice. With commas for several.
      --delay TIME     nothing is kept of the first 5, 2.5s, 300ms, 2m … of the recording
      --duration TIME  of a window, after which it ends
      --steps A..B     only steps A to B of each process, from 1; also A.. and A
      --toggle-signal NAME
                       begin paused; USR1 or another signal, sent to jitscope and not to the
                       program, begins a window in all processes, and ends it
      --nvtx-range NAME
                       only while the program is in a range of that name, as it marks it with NVTX
      --start-paused   begin paused, until the program calls jitscope_start (collector/control.h) or
                       cudaProfilerStart
      --flight-recorder BEFORE[,AFTER]
                       keep the last BEFORE in memory, and write a file only when a trigger comes
      --trigger LIST   recompile, limit, slow-call=TIME, signal or signal=NAME, with commas
      --most-windows N
                       files of a flight recorder's process, 20 by default; the oldest goes first
      --flight-memory SIZE
                       of a process, 128M by default
      --check          then hold the recording against limits, as `jitscope check` does and with
                       its options (`jitscope check --help` says what they mean): --config,
                       --limit, --baseline, --update-baseline, --junit, --sarif, --markdown,
                       --github, --source-root, --rank, --frame, --since, --most-unpacked.
                       The exit status is the program's if that is not 0, else that of the check;
                       OUT is jitscope-check.jitscope if not given.
  -h, --help           this text
  --                   what follows is the command, even if it looks like an option

The program's input, output, signals and exit status pass through: 128+N when signal N ended it,
127 when it was not found, 126 when it cannot be run.
)";

namespace {

constexpr Option kOutput{"-o", "--output", "a path"};
constexpr Option kGraphLevel{"", "--graph-level", "node or graph"};
constexpr Option kTraffic{"", "--traffic", "modelled, sampled, exact, or several with commas"};
constexpr Option kHelpOption{"-h", "--help", ""};
// Understood in front of this command, by who offers both; a misspelt one is told here.
constexpr Option kCheckOption{"", "--check", ""};

std::vector<Option> allOptions() {
  std::vector<Option> all = {kOutput, kGraphLevel, kTraffic, kHelpOption, kCheckOption};
  const std::span<const Option> windows = WindowOptions::all();
  all.insert(all.end(), windows.begin(), windows.end());
  return all;
}

trace::Error unknownOption(const std::string& word) {
  std::string text = "record: unknown option " + word;
  std::vector<std::string_view> names;
  for (const Option& option : allOptions()) {
    names.push_back(option.longName);
    if (!option.shortName.empty()) names.push_back(option.shortName);
  }
  const std::string_view meant = trace::closestWord(word, names);
  if (!meant.empty()) text += "; did you mean " + std::string(meant) + '?';
  return trace::Error{text};
}

/// Understands the value of --traffic, in place of one before it.
trace::Result<void> takeTraffic(const std::string& list, RecordArguments& arguments) {
  arguments.traffic = "off";
  arguments.countsTraffic = false;
  size_t begin = 0;
  while (begin <= list.size()) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = list.substr(begin, end - begin);
    if (word == "sampled") {
      arguments.traffic = word;
    } else if (word == "exact") {
      arguments.countsTraffic = true;
    } else if (word != "modelled" && word != "off") {
      return trace::Error{"record: --traffic needs modelled, sampled or exact, not " +
                          (word.empty() ? std::string("nothing") : word)};
    }
    begin = end + 1;
  }
  return {};
}

/// What of the program is not recorded is not found in its second run either.
trace::Result<void> checkTraffic(const RecordArguments& arguments) {
  const WindowWish& wish = arguments.windows;
  const bool isWhole = !wish.plan.isWindowed() && !wish.plan.isFlight() && wish.delayNs == 0;
  if (!arguments.countsTraffic || isWhole) return {};
  return trace::Error{
      "record: --traffic exact needs the whole program; leave out the options that choose a part "
      "of it"};
}

}  // namespace

trace::Result<RecordArguments> parseRecordArguments(std::span<const std::string> words) {
  RecordArguments arguments;
  OptionReader options(words);
  WindowOptions windows;
  while (const std::string* word = options.next()) {
    if (*word == kHelpOption.shortName || *word == kHelpOption.longName) {
      arguments.wantsHelp = true;
      return arguments;
    }
    if (const auto output = options.valueOf(kOutput, *word)) {
      if (!*output) return output->error();
      arguments.output = **output;
    } else if (const auto level = options.choiceOf(kGraphLevel, *word, {"node", "graph"})) {
      if (!*level) return level->error();
      arguments.graphLevel = **level;
    } else if (const auto traffic = options.valueOf(kTraffic, *word)) {
      if (!*traffic) return traffic->error();
      if (const auto taken = takeTraffic(**traffic, arguments); !taken) return taken.error();
    } else if (const auto taken = windows.take(options, *word)) {
      if (!*taken) return taken->error();
    } else {
      return unknownOption(*word);
    }
  }
  const auto plan = windows.plan();
  if (!plan) return plan.error();
  arguments.windows = *plan;
  if (const auto checked = checkTraffic(arguments); !checked) return checked.error();
  arguments.command.assign(options.rest().begin(), options.rest().end());
  if (arguments.command.empty()) {
    return trace::Error{"record: no command; usage: jitscope record [OPTIONS] [--] COMMAND..."};
  }
  return arguments;
}

std::optional<RecordOption> recordOptionAt(std::span<const std::string> words) {
  OptionReader reader(words);
  const std::string* word = reader.next();
  if (!word) return std::nullopt;
  for (const Option& option : allOptions()) {
    RecordOption found{.name = std::string(option.longName)};
    if (option.value.empty()) {
      if (*word == option.longName || *word == option.shortName) return found;
    } else if (const auto value = reader.valueOf(option, *word)) {
      if (*value) found.value = **value;
      found.wordCount = words.size() - reader.rest().size();
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace jitscope::collector
