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
#include "analyzer/command/frame.h"
#include "analyzer/command/interruption.h"
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
};

trace::Result<void> takeFormat(Request& request, const std::string& word) {
  const std::optional<ReportFormat> format = reportFormat(word);
  if (!format) return trace::unknownWord("format", word, reportFormatNames());
  request.format = *format;
  return {};
}

/// How many columns a terminal has; none when it does not tell.
std::optional<size_t> columnsOf(int terminal) {
  winsize size{};
  if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

/// For a terminal: its width, and colour unless NO_COLOR (no-color.org) is set or the terminal is
/// one without.
void fitTerminal(ReportLayout& layout) {
  if (isatty(STDOUT_FILENO) == 0) return;
  // Tables use all of it; lines of words beyond some length are hard to read.
  constexpr size_t kWidest = 120;
  if (const std::optional<size_t> columns = columnsOf(STDOUT_FILENO)) {
    layout.width = std::min(*columns, kWidest);
    layout.tableWidth = *columns;
  }
  const char* const noColour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool isDumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  layout.hasColour = !isDumb && (noColour == nullptr || *noColour == '\0');
}

}  // namespace

int reportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors) {
  Request request;
  CommandLine line(
      kCommand,
      {Option{"--format", "", true, [&](const auto& word) { return takeFormat(request, word); }},
       outputOption(request.outputPath), countOption("--top", request.layout.mostFindings)},
      request.loading, [&](const auto& path) { return takeOnlyPath(request.path, path); });
  const auto complete = [&] { return needPath(request.path); };
  if (const auto status = line.readOrEnd(arguments, complete, helpText, output, errors))
    return *status;
  if (&output == &std::cout && request.outputPath.empty()) fitTerminal(request.layout);
  const Asked asked{kCommand, request.loading, request.path, {request.outputPath}};
  return answerFor(asked, errors, [&](const Run& run) -> trace::Result<ExitStatus> {
    const std::string report = renderReport(run, analyze(run), request.format, request.layout);
    const trace::Result<void> written =
        writeOutput(report, request.outputPath, "the report", output);
    if (!written) return written.error();
    return kDone;
  });
}

int reportCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return reportCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
