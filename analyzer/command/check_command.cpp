#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/cli.h"
#include "analyzer/command/frame.h"
#include "analyzer/command/interruption.h"
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
    "  PATH                a run in any format that `jitscope report --help` names\n"
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
  bool updatesBaseline = false, forGitHub = false;
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

CommandLine commandLineOf(Request& request) {
  std::vector<Option> own{
      textOption("--config", request.config),
      Option{"--limit", "", true, [&](const auto& value) { return takeLimit(request, value); }},
      textOption("--baseline", request.baseline),
      switchOption("--update-baseline", "", request.updatesBaseline),
      textOption("--junit", request.junit),
      textOption("--sarif", request.sarif),
      textOption("--markdown", request.markdown),
      switchOption("--github", "", request.forGitHub),
      textOption("--source-root", request.sourceRoot),
  };
  return {kCommand, std::move(own), request.loading,
          [&](const auto& path) { return takeOnlyPath(request.path, path); }};
}

/// Whether a command line says all that is needed.
trace::Result<void> complete(const Request& request) {
  if (trace::Result<void> needed = needPath(request.path); !needed) return needed;
  if (request.updatesBaseline && request.baseline.empty())
    return trace::Error{"--update-baseline needs --baseline FILE, the file to write"};
  return {};
}

std::string helpText() { return std::string(kHelpStart) + std::string(Loading::help()); }

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

/// What the run is held against; nothing when it becomes the baseline itself.
trace::Result<GateConfig> demandsOf(const Request& request) {
  return request.updatesBaseline ? GateConfig{} : configOf(request);
}

trace::Result<ExitStatus> updateBaseline(const Request& request, const Run& run) {
  // Numbers of half a run would let everything pass later.
  if (isDamaged(run)) return kBadInput;
  const trace::Result<void> written =
      writeBaseline(baselineOf(run, analyze(run)), request.baseline);
  if (!written) return written.error();
  return kDone;
}

/// Reads the baseline: the small file, or an earlier run, of which the same part counts.
trace::Result<Baseline> baselineFor(const Request& request, std::ostream& errors) {
  const trace::Result<std::optional<Baseline>> kept = readBaselineFile(request.baseline);
  if (!kept) return kept.error();
  if (*kept) return **kept;
  const trace::Result<Run> run = request.loading.load(request.baseline, errors);
  if (!run) return run.error();
  if (tellDamage(*run, errors))
    return trace::Error{request.baseline + ": is damaged, and no baseline"};
  return baselineOf(*run, analyze(*run));
}

/// Holds the run against the baseline, if there is one, and the limits.
trace::Result<ExitStatus> judgeRun(const Request& request, const GateConfig& config,
                                   const Baseline* baseline, const Run& run, std::ostream& output) {
  const Analysis analysis = analyze(run);
  const GateVerdict verdict = judge(run, analysis, config, baseline, today());
  const trace::Result<void> written = writeAll(request, verdict, output);
  if (!written) return written.error();
  return verdict.passes() ? kDone : kOverLimit;
}

int check(const Request& request, std::ostream& output, std::ostream& errors) {
  // First of all: a typo in it is told before a large recording is read.
  const trace::Result<GateConfig> config = demandsOf(request);
  if (!config) return fail(errors, kCommand, config.error(), kUsage);
  const Asked asked{kCommand,
                    request.loading,
                    request.path,
                    {request.junit, request.sarif, request.markdown,
                     request.updatesBaseline ? request.baseline : std::string()}};
  return answerFor(asked, errors, [&](const Run& run) -> trace::Result<ExitStatus> {
    if (request.updatesBaseline) return updateBaseline(request, run);
    if (request.baseline.empty()) return judgeRun(request, *config, nullptr, run, output);
    const trace::Result<Baseline> baseline = baselineFor(request, errors);
    if (baseline) return judgeRun(request, *config, &*baseline, run, output);
    fail(errors, "", baseline.error(), kBadInput);
    return kBadInput;
  });
}

}  // namespace

std::optional<bool> checkOptionTakesValue(std::string_view name) {
  Request request;
  const CommandLine line = commandLineOf(request);
  for (const Option& option : line.options()) {
    if (option.name == name && name != "--help") return option.takesValue;
  }
  return std::nullopt;
}

int checkPreflight(std::span<const std::string> arguments, std::ostream& errors) {
  Request request;
  CommandLine line = commandLineOf(request);
  if (const auto status = line.readOrEnd(
          arguments, [&] { return complete(request); }, helpText, std::cout, errors))
    return *status;
  const trace::Result<GateConfig> config = demandsOf(request);
  if (!config) return fail(errors, kCommand, config.error(), kUsage);
  std::error_code problem;
  const bool readsBaseline = !request.baseline.empty() && !request.updatesBaseline;
  if (readsBaseline && !std::filesystem::exists(request.baseline, problem))
    return fail(errors, kCommand, {request.baseline + ": there is no such baseline"}, kBadInput);
  return kDone;
}

int checkPreflight(std::span<const std::string> arguments) {
  return checkPreflight(arguments, std::cerr);
}

int checkCommand(std::span<const std::string> arguments, std::ostream& output,
                 std::ostream& errors) {
  Request request;
  CommandLine line = commandLineOf(request);
  const auto status = line.readOrEnd(
      arguments, [&] { return complete(request); }, helpText, output, errors);
  return status ? *status : check(request, output, errors);
}

int checkCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  const Interruption interruption;
  return checkCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
