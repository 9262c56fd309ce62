#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/arguments.h"
#include "analyzer/command/interruption.h"
#include "analyzer/command/loading.h"
#include "analyzer/command/output.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "report";

std::string helpText() {
  return fmt::format(
      "usage: jitscope report PATH [--format {}] [-o FILE] [options]\n"
      "\n"
      "  PATH               a recording (NAME.jitscope), a trace of torch.profiler (JSON, also\n"
      "                     packed), a log of TORCH_TRACE or TORCH_LOGS, an export of Nsight\n"
      "                     Systems (SQLite), or a folder of any of them as one run\n"
      "  --format           form of the report; text if not given\n"
      "  -o FILE            write to FILE instead of standard output\n"
      "  --top N            only the N worst findings\n"
      "{}",
      fmt::join(reportFormatNames(), "|"), Loading::help());
}

/// What a command line asks for.
struct Request {
  std::string path;
  std::string outputPath;  ///< empty: standard output
  ReportFormat format = ReportFormat::kText;
  ReportLayout layout;
  Loading loading;
  bool wantsHelp = false;
};

trace::Result<void> takeFormat(Request& request, const std::string& word) {
  const std::optional<ReportFormat> format = reportFormat(word);
  if (!format) return trace::unknownWord("format", word, reportFormatNames());
  request.format = *format;
  return {};
}

trace::Result<void> takeOutput(Request& request, const std::string& path) {
  if (path.empty()) return trace::Error{"-o needs the name of a file"};
  request.outputPath = path;
  return {};
}

trace::Result<Request> parse(std::span<const std::string> arguments) {
  Request request;
  std::vector<Option> options{
      Option{"--format", "", true, [&](const auto& value) { return takeFormat(request, value); }},
      Option{"--output", "-o", true, [&](const auto& value) { return takeOutput(request, value); }},
      countOption("--top", request.layout.mostFindings),
      switchOption("--help", "-h", request.wantsHelp),
  };
  for (Option& option : request.loading.options()) options.push_back(std::move(option));
  const trace::Result<void> read = readArguments(
      arguments, options, [&](const auto& path) { return takeOnlyPath(request.path, path); });
  if (!read) return read.error();
  if (request.path.empty() && !request.wantsHelp) return missingPath();
  return request;
}

/// Wide terminals have room, and lines beyond some length are hard to read.
size_t widthOf(int terminal) {
  constexpr size_t kWidest = 120, kUnknown = 100;
  winsize size{};
  if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUnknown;
  return std::min<size_t>(size.ws_col, kWidest);
}

/// For a terminal: its width, and colour unless NO_COLOR (no-color.org) is set.
void fitTerminal(ReportLayout& layout) {
  if (isatty(STDOUT_FILENO) == 0) return;
  layout.width = widthOf(STDOUT_FILENO);
  const char* const noColour = std::getenv("NO_COLOR");
  layout.hasColour = noColour == nullptr || *noColour == '\0';
}

}  // namespace

int reportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors) {
  trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  if (request->wantsHelp) {
    output << helpText() << std::flush;
    return kDone;
  }
  if (&output == &std::cout && request->outputPath.empty()) fitTerminal(request->layout);
  const trace::Result<Run> run = request->loading.load(request->path, errors);
  if (!run) return fail(errors, "", run.error(), kBadInput);
  if (isRecording(*run, request->outputPath)) {
    return fail(errors, kCommand,
                {request->outputPath + ": is the recording itself, name another file with -o"},
                kUsage);
  }
  const std::string report = renderReport(*run, analyze(*run), request->format, request->layout);
  const bool isDamaged = tellDamage(*run, errors);
  const trace::Result<void> written =
      writeOutput(report, request->outputPath, "the report", output);
  if (!written) return fail(errors, kCommand, written.error(), kUsage);
  return isDamaged ? kBadInput : kDone;
}

int reportCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return reportCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
