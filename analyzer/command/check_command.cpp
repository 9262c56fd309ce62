#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/arguments.h"
#include "analyzer/command/interruption.h"
#include "analyzer/command/loading.h"
#include "analyzer/command/output.h"
#include "analyzer/gate/gate.h"
#include "analyzer/gate/outputs.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kCommand = "check";
constexpr std::string_view kHelpStart =
    "usage: jitscope check PATH [options]\n"
    "\n"
    "Holds a run against limits: exit status 0 within them, 1 over, 2 wrong usage, 3 bad input.\n"
    "\n"
    "  PATH                a trace file (NAME.jitscope) or a folder of them\n"
    "  --config FILE       limits and allowances (GATE.md); jitscope.toml here if there is one\n"
    "  --limit NAME=VALUE  a limit, in place of the configuration's; may be repeated\n"
    "  --baseline PATH     an earlier run, or a file of --update-baseline: new findings are over\n"
    "  --update-baseline   write this run's numbers to the file of --baseline instead of checking\n"
    "  --junit FILE        also write JUnit XML\n"
    "  --sarif FILE        also write SARIF 2.1.0\n"
    "  --markdown FILE     also write a comment for a change\n"
    "  --github            print workflow commands of GitHub Actions beside the text\n"
    "  --source-root DIR   files below it are named relative to it; the current folder if not "
    "given\n";

constexpr const char* kDefaultConfig = "jitscope.toml";

/// What a command line asks for. Empty paths: not asked for.
struct Request {
  std::string path, config, baseline, junit, sarif, markdown, sourceRoot;
  std::vector<Limit> limits;
  bool updatesBaseline = false, forGitHub = false, wantsHelp = false;
  Loading loading;
};

trace::Result<void> takeLimit(Request& request, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    return trace::Error{fmt::format("--limit takes NAME=VALUE, not '{}'", text)};
  const trace::Result<Limit> limit = parseLimit(text.substr(0, equals), text.substr(equals + 1));
  if (!limit) return limit.error();
  request.limits.push_back(*limit);
  return {};
}

std::vector<Option> optionsOf(Request& request) {
  std::vector<Option> options{
      textOption("--config", request.config),
      Option{"--limit", "", true, [&](const auto& value) { return takeLimit(request, value); }},
      textOption("--baseline", request.baseline),
      switchOption("--update-baseline", "", request.updatesBaseline),
      textOption("--junit", request.junit),
      textOption("--sarif", request.sarif),
      textOption("--markdown", request.markdown),
      switchOption("--github", "", request.forGitHub),
      textOption("--source-root", request.sourceRoot),
      switchOption("--help", "-h", request.wantsHelp),
  };
  for (Option& option : request.loading.options()) options.push_back(std::move(option));
  return options;
}

trace::Result<Request> parse(std::span<const std::string> arguments) {
  Request request;
  const std::vector<Option> options = optionsOf(request);
  const trace::Result<void> read = readArguments(
      arguments, options, [&](const auto& path) { return takeOnlyPath(request.path, path); });
  if (!read) return read.error();
  if (request.wantsHelp) return request;
  if (request.path.empty()) return missingPath();
  if (request.updatesBaseline && request.baseline.empty())
    return trace::Error{"--update-baseline needs --baseline FILE, the file to write"};
  return request;
}

/// The configuration, with the limits of the command line in place of its own.
trace::Result<GateConfig> configOf(const Request& request) {
  GateConfig config;
  std::string path = request.config;
  std::error_code ignored;
  if (path.empty() && std::filesystem::is_regular_file(kDefaultConfig, ignored))
    path = kDefaultConfig;
  if (!path.empty()) {
    trace::Result<GateConfig> read = readGateConfig(path);
    if (!read) return read.error();
    config = std::move(*read);
  }
  for (const Limit& limit : request.limits) {
    std::erase_if(config.limits, [&](const Limit& each) { return each.measure == limit.measure; });
    config.limits.push_back(limit);
  }
  const bool needsBaseline = std::any_of(config.limits.begin(), config.limits.end(),
                                         [](const Limit& each) { return each.isOfBaseline; });
  if (needsBaseline && request.baseline.empty())
    return trace::Error{"a limit is the baseline's: name it with --baseline PATH"};
  if (config.limits.empty() && request.baseline.empty()) {
    return trace::Error{
        "nothing to check against: give --baseline PATH, --limit graph_breaks=0, or limits in "
        "jitscope.toml"};
  }
  return config;
}

std::chrono::year_month_day today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

std::filesystem::path sourceRootOf(const Request& request) {
  std::error_code ignored;
  if (!request.sourceRoot.empty()) return std::filesystem::absolute(request.sourceRoot, ignored);
  return std::filesystem::current_path(ignored);
}

/// Writes everything that was asked for.
trace::Result<void> writeAll(const Request& request, const GateVerdict& verdict,
                             std::ostream& output) {
  const std::filesystem::path root = sourceRootOf(request);
  struct Target {
    const std::string& path;
    std::string_view what;
    std::string text;
  };
  std::vector<Target> targets;
  if (!request.junit.empty())
    targets.push_back({request.junit, "the JUnit file", gateJUnit(verdict)});
  if (!request.sarif.empty())
    targets.push_back({request.sarif, "the SARIF file", gateSarif(verdict, root)});
  if (!request.markdown.empty())
    targets.push_back({request.markdown, "the Markdown file", gateMarkdown(verdict)});
  const std::string standardOutput;
  targets.push_back(
      {standardOutput, "the text",
       gateText(verdict) + (request.forGitHub ? gateGitHub(verdict, root) : std::string())});
  for (const Target& target : targets) {
    trace::Result<void> written = writeOutput(target.text, target.path, target.what, output);
    if (!written) return written;
  }
  return {};
}

/// The error of writing over the run's own files; none when all outputs are other files.
trace::Result<void> checkTargets(const Request& request, const Run& run) {
  for (const std::string* path : {&request.junit, &request.sarif, &request.markdown,
                                  request.updatesBaseline ? &request.baseline : &request.junit}) {
    if (isRecording(run, *path))
      return trace::Error{*path + ": is the recording itself, name another file"};
  }
  return {};
}

/// What the run is held against; nothing when it becomes the baseline itself.
trace::Result<GateConfig> demandsOf(const Request& request) {
  return request.updatesBaseline ? GateConfig{} : configOf(request);
}

int check(const Request& request, std::ostream& output, std::ostream& errors) {
  // First of all: a typo in it is told before a large recording is read.
  const trace::Result<GateConfig> config = demandsOf(request);
  if (!config) return fail(errors, kCommand, config.error(), kUsage);
  const trace::Result<Run> run = request.loading.load(request.path, errors);
  if (!run) return fail(errors, "", run.error(), kBadInput);
  if (const trace::Result<void> safe = checkTargets(request, *run); !safe)
    return fail(errors, kCommand, safe.error(), kUsage);
  const Analysis analysis = analyze(*run);
  const bool isDamaged = tellDamage(*run, errors);
  if (request.updatesBaseline) {
    // Numbers of half a run would let everything pass later.
    if (isDamaged) return kBadInput;
    const trace::Result<void> written = writeBaseline(baselineOf(*run, analysis), request.baseline);
    return written ? kDone : fail(errors, kCommand, written.error(), kUsage);
  }
  std::optional<Baseline> baseline;
  if (!request.baseline.empty()) {
    trace::Result<Baseline> read = readBaseline(request.baseline);
    if (!read) return fail(errors, "", read.error(), kBadInput);
    baseline = std::move(*read);
  }
  const GateVerdict verdict =
      judge(*run, analysis, *config, baseline ? &*baseline : nullptr, today());
  const trace::Result<void> written = writeAll(request, verdict, output);
  if (!written) return fail(errors, kCommand, written.error(), kUsage);
  if (isDamaged) return kBadInput;
  return verdict.passes() ? kDone : kOverLimit;
}

}  // namespace

std::optional<bool> checkOptionTakesValue(std::string_view name) {
  Request request;
  for (const Option& option : optionsOf(request)) {
    if (option.name == name && name != "--help") return option.takesValue;
  }
  return std::nullopt;
}

int checkPreflight(std::span<const std::string> arguments, std::ostream& errors) {
  const trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  const trace::Result<GateConfig> config = demandsOf(*request);
  if (!config) return fail(errors, kCommand, config.error(), kUsage);
  std::error_code problem;
  const bool readsBaseline = !request->baseline.empty() && !request->updatesBaseline;
  if (readsBaseline && !std::filesystem::exists(request->baseline, problem))
    return fail(errors, kCommand, {request->baseline + ": there is no such baseline"}, kBadInput);
  return kDone;
}

int checkPreflight(std::span<const std::string> arguments) {
  return checkPreflight(arguments, std::cerr);
}

int checkCommand(std::span<const std::string> arguments, std::ostream& output,
                 std::ostream& errors) {
  const trace::Result<Request> request = parse(arguments);
  if (!request) return fail(errors, kCommand, request.error(), kUsage);
  if (request->wantsHelp) {
    output << kHelpStart << Loading::help() << std::flush;
    return kDone;
  }
  return check(*request, output, errors);
}

int checkCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return checkCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
