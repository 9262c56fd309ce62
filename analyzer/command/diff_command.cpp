#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/frame.h"
#include "analyzer/command/interruption.h"
#include "analyzer/diff.h"
#include "analyzer/run.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "diff";

std::string helpText() {
  return fmt::format(
      "usage: jitscope diff BEFORE AFTER [--format {}] [-o FILE] [options]\n"
      "\n"
      "Says what is new, gone, slower and faster in AFTER. What repeats tells its own noise; a\n"
      "difference within it is none. Limits for CI are the matter of `jitscope check`.\n"
      "\n"
      "  BEFORE, AFTER      two runs, each as `jitscope report` takes it\n"
      "  --format           form of the answer; text if not given\n"
      "  -o FILE            write to FILE instead of standard output\n"
      "  --top N            at most N rows of each table of text and Markdown; 30 if not given\n"
      "{}",
      fmt::join(diffFormatNames(), "|"), Loading::help());
}

/// What a command line asks for.
struct Request {
  std::vector<std::string> paths;
  std::string format = "text", outputPath;
  size_t mostRows = 30;
  Loading loading;
};

trace::Result<void> takePath(Request& request, const std::string& path) {
  if (path.empty()) return trace::Error{"a path is empty"};
  if (request.paths.size() == 2)
    return trace::Error{fmt::format("two runs only, '{}' is one too many", path)};
  request.paths.push_back(path);
  return {};
}

/// Whether a command line says all that is needed.
trace::Result<void> complete(const Request& request) {
  const std::vector<std::string_view> formats = diffFormatNames();
  if (std::find(formats.begin(), formats.end(), request.format) == formats.end())
    return trace::unknownWord("format", request.format, formats);
  if (request.paths.size() < 2) return trace::Error{"BEFORE and AFTER are needed, two runs"};
  return {};
}

int diff(const Request& request, std::ostream& output, std::ostream& errors) {
  const trace::Result<std::pair<Run, Run>> runs =
      request.loading.loadPair(request.paths[0], request.paths[1], errors);
  if (!runs) return fail(errors, "", runs.error(), kBadInput);
  const auto& [before, after] = *runs;
  for (const Run* run : {&before, &after}) {
    if (isRecording(*run, request.outputPath))
      return fail(errors, kCommand, {request.outputPath + ": is a recording, name another file"},
                  kUsage);
  }
  const Analysis beforeAnalysis = analyze(before), afterAnalysis = analyze(after);
  const RunDiff diff = diffRuns(before, beforeAnalysis, after, afterAnalysis);
  const bool isBeforeDamaged = tellDamage(before, errors);
  const bool isAfterDamaged = tellDamage(after, errors);
  const std::string text = renderDiff(diff, request.format, request.mostRows).value_or("");
  const trace::Result<void> written = writeOutput(text, request.outputPath, "the diff", output);
  if (!written) return fail(errors, kCommand, written.error(), kUsage);
  return isBeforeDamaged || isAfterDamaged ? kBadInput : kDone;
}

}  // namespace

int diffCommand(std::span<const std::string> arguments, std::ostream& output,
                std::ostream& errors) {
  Request request;
  CommandLine line(kCommand,
                   {textOption("--format", request.format), outputOption(request.outputPath),
                    countOption("--top", request.mostRows)},
                   request.loading, [&](const auto& path) { return takePath(request, path); });
  const auto status = line.readOrEnd(
      arguments, [&] { return complete(request); }, helpText, output, errors);
  return status ? *status : diff(request, output, errors);
}

int diffCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return diffCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
