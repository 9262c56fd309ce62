#include "analyzer/command/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

namespace jitscope::analyzer {

CommandLine::CommandLine(std::string_view command, std::vector<Option> options, Loading& loading,
                         TakeWord takeWord)
    : command_(command), options_(std::move(options)), takeWord_(std::move(takeWord)) {
  options_.push_back(switchOption("--help", "-h", wantsHelp_));
  for (Option& option : loading.options()) options_.push_back(std::move(option));
}

std::optional<int> CommandLine::readOrEnd(std::span<const std::string> words,
                                          const std::function<trace::Result<void>()>& complete,
                                          const std::function<std::string()>& help,
                                          std::ostream& output, std::ostream& errors) {
  const trace::Result<void> read = readArguments(words, options_, takeWord_);
  if (!read) return fail(errors, command_, read.error(), kUsage);
  if (wantsHelp_) {
    const trace::Result<void> written = writeOutput(help(), "", "the help", output);
    return written ? kDone : fail(errors, command_, written.error(), kUsage);
  }
  const trace::Result<void> enough = complete();
  if (!enough) return fail(errors, command_, enough.error(), kUsage);
  return std::nullopt;
}

int answerFor(const Asked& asked, std::ostream& errors,
              const std::function<trace::Result<ExitStatus>(const Run& run)>& answer) {
  const trace::Result<Run> run = asked.loading.load(asked.path, errors);
  if (!run) return fail(errors, "", run.error(), kBadInput);
  const auto own = std::find_if(asked.targets.begin(), asked.targets.end(),
                                [&](const std::string& each) { return isRecording(*run, each); });
  if (own != asked.targets.end())
    return fail(errors, asked.command, {*own + ": is the recording itself, name another file"},
                kUsage);
  const bool isDamaged = tellDamage(*run, errors);
  const trace::Result<ExitStatus> status = answer(*run);
  if (!status) return fail(errors, asked.command, status.error(), kUsage);
  return isDamaged ? kBadInput : *status;
}

Option outputOption(std::string& target) {
  return {"--output", "-o", true, textOption("-o", target).take};
}

}  // namespace jitscope::analyzer
