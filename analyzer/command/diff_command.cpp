#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/arguments.h"
#include "analyzer/command/interruption.h"
#include "analyzer/command/loading.h"
#include "analyzer/command/output.h"
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
  bool wantsHelp = false;
};

trace::Result<void> takePath(Request& request, const std::string& path) {
  if (path.empty()) return trace::Error{"a path is empty"};
  if (request.paths.size() == 2)
    return trace::Error{fmt::format("two runs only, '{}' is one too many", path)};
  request.paths.push_back(path);
  return {};
}

trace::Result<Request> parse(std::span<const std::string> arguments) {
  Request request;
  std::vector<Option> options{
      textOption("--format", request.format),
      Option{"--output", "-o", true, textOption("-o", request.outputPath).take},
      countOption("--top", request.mostRows),
      switchOption("--help", "-h", request.wantsHelp),
  };
  for (Option& option : request.loading.options()) options.push_back(std::move(option));
  const trace::Result<void> read =
      readArguments(arguments, options, [&](const auto& path) { return takePath(request, path); });
  if (!read) return read.error();
  if (request.wantsHelp) return request;
  const std::vector<std::string_view> formats = diffFormatNames();
  if (std::find(formats.begin(), formats.end(), request.format) == formats.end())
    return trace::unknownWord("format", request.format, formats);
  if (request.paths.size() < 2) return trace::Error{"BEFORE and AFTER are needed, two runs"};
  return request;
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
  const trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  if (request->wantsHelp) {
    output << helpText() << std::flush;
    return kDone;
  }
  return diff(*request, output, errors);
}

int diffCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return diffCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
