#include <fmt/format.h>

#include <array>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/arguments.h"
#include "analyzer/command/output.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "report";

std::string helpText() {
  return fmt::format(
      "usage: jitscope report PATH [--format {}] [-o FILE]\n"
      "\n"
      "  PATH       a recording (NAME.jitscope), a trace of torch.profiler (JSON, also packed),\n"
      "             or a folder of any of them as one run\n"
      "  --format   form of the report; text if not given\n"
      "  -o FILE    write to FILE instead of standard output\n",
      fmt::join(reportFormatNames(), "|"));
}

/// What a command line asks for.
struct Request {
  std::string path;
  std::string outputPath;  ///< empty: standard output
  ReportFormat format = ReportFormat::kText;
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
  const std::array options{
      Option{"--format", "", true, [&](const auto& value) { return takeFormat(request, value); }},
      Option{"--output", "-o", true, [&](const auto& value) { return takeOutput(request, value); }},
      switchOption("--help", "-h", request.wantsHelp),
  };
  const trace::Result<void> read = readArguments(
      arguments, options, [&](const auto& path) { return takeOnlyPath(request.path, path); });
  if (!read) return read.error();
  if (request.path.empty() && !request.wantsHelp) return missingPath();
  return request;
}

}  // namespace

int reportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors) {
  const trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  if (request->wantsHelp) {
    output << helpText() << std::flush;
    return kDone;
  }
  const trace::Result<Run> run = loadRun(request->path);
  if (!run) return fail(errors, "", run.error(), kBadInput);
  if (isRecording(*run, request->outputPath)) {
    return fail(errors, kCommand,
                {request->outputPath + ": is the recording itself, name another file with -o"},
                kUsage);
  }
  const std::string report = renderReport(*run, analyze(*run), request->format);
  const bool isDamaged = tellDamage(*run, errors);
  const trace::Result<void> written =
      writeOutput(report, request->outputPath, "the report", output);
  if (!written) return fail(errors, kCommand, written.error(), kUsage);
  return isDamaged ? kBadInput : kDone;
}

int reportCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  return reportCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
