#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "analyzer/cli.h"
#include "analyzer/command/frame.h"
#include "analyzer/command/interruption.h"
#include "analyzer/export/export_run.h"
#include "analyzer/run.h"
#include "analyzer/units.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "export";

std::vector<std::string_view> formatNames() {
  std::vector<std::string_view> names;
  for (const ExportFormat& format : exportFormats()) names.push_back(format.name);
  return names;
}

std::string helpText() {
  std::string formats;
  for (const ExportFormat& format : exportFormats())
    formats += fmt::format("    {:<16} {}\n", format.name, format.meaning);
  return fmt::format(
      "usage: jitscope export PATH --to {} -o OUT [options]\n"
      "\n"
      "  PATH               a run as `jitscope report` takes it\n"
      "  -o OUT             the file or folder to write\n"
      "  --to FORMAT        one of\n"
      "{}{}",
      fmt::join(formatNames(), "|"), formats, Loading::help());
}

/// What a command line asks for.
struct Request {
  std::string path, format, target;
  Loading loading;
};

const ExportFormat* findFormat(std::string_view name) {
  const auto formats = exportFormats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ExportFormat& each) { return each.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

/// Whether a command line says all that is needed.
trace::Result<void> complete(const Request& request) {
  if (trace::Result<void> needed = needPath(request.path); !needed) return needed;
  if (request.format.empty())
    return trace::Error{fmt::format("--to is needed, one of {}", fmt::join(formatNames(), ", "))};
  if (findFormat(request.format) == nullptr)
    return trace::unknownWord("format", request.format, formatNames());
  if (request.target.empty()) return trace::Error{"-o is needed, the file or folder to write"};
  return {};
}

/// Tells what a format has no place for: "run.json: chrome has no place for 3 guard, 1 loss".
void tellLeftOut(const Request& request, const Run& run, std::ostream& errors) {
  const auto leavesOut = findFormat(request.format)->leavesOut;
  if (leavesOut == nullptr) return;
  std::string counts;
  for (const LeftOut& each : leavesOut(run)) {
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", countText(each.rows), each.table);
    if (!each.why.empty()) counts += fmt::format(" ({})", each.why);
  }
  if (counts.empty()) return;
  errors << oneLine(fmt::format("{}: {} has no place for {}; --to sqlite and csv keep all",
                                request.target, request.format, counts))
         << "\n";
}

}  // namespace

int exportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors) {
  Request request;
  CommandLine line(kCommand, {textOption("--to", request.format), outputOption(request.target)},
                   request.loading,
                   [&](const auto& path) { return takeOnlyPath(request.path, path); });
  if (const auto status = line.readOrEnd(
          arguments, [&] { return complete(request); }, helpText, output, errors))
    return *status;
  const Asked asked{kCommand, request.loading, request.path, {request.target}};
  return answerFor(asked, errors, [&](const Run& run) -> trace::Result<ExitStatus> {
    const trace::Result<void> written = findFormat(request.format)->write(run, request.target);
    if (!written) return written.error();
    tellLeftOut(request, run, errors);
    return kDone;
  });
}

int exportCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return exportCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
