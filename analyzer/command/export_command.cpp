#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "analyzer/cli.h"
#include "analyzer/command/arguments.h"
#include "analyzer/command/interruption.h"
#include "analyzer/command/loading.h"
#include "analyzer/command/output.h"
#include "analyzer/export/export_run.h"
#include "analyzer/run.h"
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
  bool wantsHelp = false;
};

const ExportFormat* findFormat(std::string_view name) {
  const auto formats = exportFormats();
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const ExportFormat& each) { return each.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

trace::Result<Request> parse(std::span<const std::string> arguments) {
  Request request;
  std::vector<Option> options{
      textOption("--to", request.format),
      Option{"--output", "-o", true, textOption("-o", request.target).take},
      switchOption("--help", "-h", request.wantsHelp),
  };
  for (Option& option : request.loading.options()) options.push_back(std::move(option));
  const trace::Result<void> read = readArguments(
      arguments, options, [&](const auto& path) { return takeOnlyPath(request.path, path); });
  if (!read) return read.error();
  if (request.wantsHelp) return request;
  if (request.path.empty()) return missingPath();
  if (request.format.empty())
    return trace::Error{fmt::format("--to is needed, one of {}", fmt::join(formatNames(), ", "))};
  if (findFormat(request.format) == nullptr)
    return trace::unknownWord("format", request.format, formatNames());
  if (request.target.empty()) return trace::Error{"-o is needed, the file or folder to write"};
  return request;
}

}  // namespace

int exportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors) {
  const trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  if (request->wantsHelp) {
    output << helpText() << std::flush;
    return kDone;
  }
  const trace::Result<Run> run = request->loading.load(request->path, errors);
  if (!run) return fail(errors, "", run.error(), kBadInput);
  if (isRecording(*run, request->target))
    return fail(errors, kCommand,
                {request->target + ": is the recording itself, name another file"}, kUsage);
  const bool isDamaged = tellDamage(*run, errors);
  const trace::Result<void> written = findFormat(request->format)->write(*run, request->target);
  if (!written) return fail(errors, kCommand, written.error(), kUsage);
  return isDamaged ? kBadInput : kDone;
}

int exportCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return exportCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
