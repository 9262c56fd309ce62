#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "collector/environment.h"
#include "collector/record.h"
#include "collector/record/arguments.h"
#include "collector/record/child.h"
#include "collector/record/exact_run.h"
#include "collector/record/output.h"
#include "collector/record/preload.h"
#include "collector/record/program.h"
#include "collector/record/running.h"
#include "collector/record/say.h"
#include "collector/record/stand_in.h"
#include "collector/record/summary.h"
#include "collector/windows/shared_switch.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

// A name for files that a person can type.
std::string nameOf(const std::string& program) {
  std::string name = std::filesystem::path(program).filename().string();
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return !std::isalnum(c) && !std::strchr("._+-", c); }, '_');
  return name.substr(0, 64);
}

std::filesystem::path outputByDefault(const std::string& program) {
  const time_t now = time(nullptr);
  tm parts{};
  localtime_r(&now, &parts);
  char date[32];
  strftime(date, sizeof date, "%Y%m%d-%H%M%S", &parts);
  return fmt::format("jitscope-{}-{}{}", nameOf(program), date, kTraceSuffix);
}

// What is wrong with recording this program, if anything; the program runs all the same.
std::optional<std::string> obstacle(const std::string& path, const std::string& word) {
  if (const auto reason = whyNotPreloadable(path)) {
    return fmt::format("{} {}, so the collector cannot be preloaded into it", word, *reason);
  }
  const auto library = injectLibrary();
  if (!library) return library.error().text;
  return std::nullopt;
}

int reportStartError(const std::string& word, int error) {
  say(fmt::format("{}: {}", word, error == ENOENT ? "command not found" : std::strerror(error)));
  return statusOfStartError(error);
}

void removeSwitch(const Output& output) {
  std::error_code ignored;
  std::filesystem::remove(SharedSwitch::pathIn(output.path()), ignored);
}

// The closing line, and what has to be done before it.
void tellResult(const Output& output, const UnrecordedProgram& program,
                const RecordArguments& arguments) {
  const bool isFlight = arguments.windows.plan.isFlight();
  // One that goes on may begin a file at any time: there must be a folder then.
  const size_t running = runningProcesses(output.path());
  if (isFlight && program.reason.empty() && output.files().empty() && running == 0) {
    output.removeIfEmpty();
    return say(describeFlight({}, output.path()));
  }
  if (output.files().empty() && running == 0) {
    if (const auto written = writeStandIn(output, program); !written) {
      output.removeIfEmpty();
      return say("nothing was recorded: " + written.error().text);
    }
  }
  // The windows of a flight recorder stay in their folder, however many there are.
  if (running == 0 && !isFlight) output.settle();
  const Summary summary = summarize(output.path());
  std::string text =
      isFlight ? describeFlight(summary, output.path()) : describe(summary, output.path());
  // Not of a program that was not recorded or goes on, nor of moments of one.
  const bool isWhole = program.reason.empty() && running == 0 && !isFlight;
  if (arguments.traffic == "sampled" && isWhole) text += missingTraffic(summary);
  if (running > 0) {
    text += running == 1 ? "; 1 process still runs and records on"
                         : fmt::format("; {} processes still run and record on", running);
  }
  say(text);
}

// The windows of a recording that begins now, for its processes; empty: they are always recorded.
std::string windowsOf(const WindowWish& wish) {
  WindowPlan plan = wish.plan;
  if (wish.delayNs > 0) plan.firstNs = trace::nowNs() + wish.delayNs;
  return plan.isWindowed() || plan.isFlight() ? planText(plan) : "";
}

// The signal that the launcher takes for itself, and a way to tell the processes of it. It never
// reaches the program, which most signals would end.
TakenSignal takenSignal(const WindowWish& wish, const trace::Result<Output>& output) {
  if (wish.signal == 0) return {};
  const auto shared = output ? SharedSwitch::create(SharedSwitch::pathIn(output->path()))
                             : trace::Result<SharedSwitch*>(output.error());
  if (!shared) {
    if (output) say("warning: the signal will not be heard: " + shared.error().text);
    return {.signal = wish.signal, .take = [] {}};
  }
  return {.signal = wish.signal, .take = [to = *shared] { to->flip(trace::nowNs()); }};
}

int run(const RecordArguments& arguments, const std::string& path) {
  const std::string& word = arguments.command[0];
  const auto output =
      Output::create(arguments.output.empty() ? outputByDefault(word) : arguments.output);
  if (!output) say("not recording: " + output.error().text);
  const auto problem = obstacle(path, word);
  if (problem) say("warning: " + *problem);
  const std::string other = otherCudaInjection();
  if (!other.empty()) {
    say(fmt::format("warning: {} is set already ({}), so kernels of a GPU are not recorded",
                    kCudaInjectionVariable, other));
  }
  const std::string otherNvtx = otherNvtxInjection();
  if (!otherNvtx.empty() && !arguments.windows.plan.nvtxRange.empty()) {
    say(fmt::format("warning: {} is set already ({}), so ranges of NVTX begin no windows",
                    kNvtxInjectionVariable, otherNvtx));
  }
  const auto changes = output && !problem
                           ? preloadChanges(output->path(), arguments, windowsOf(arguments.windows))
                           : std::map<std::string, std::string>{};

  const TakenSignal taken = takenSignal(arguments.windows, output);
  const int64_t startNs = trace::nowNs();
  const Child child = startChild(path, arguments.command, changes);
  if (child.startError) {
    if (output) removeSwitch(*output);
    if (output) output->removeIfEmpty();
    return reportStartError(word, child.startError);
  }
  const int status = waitForChild(child, taken);
  if (!output) {
    say("nothing was recorded: " + output.error().text);
    return status;
  }
  removeSwitch(*output);
  if (arguments.countsTraffic) countExactly(arguments, path, *output, status);
  tellResult(*output,
             {.pid = child.pid,
              .startNs = startNs,
              .command = arguments.command,
              .executable = path,
              .reason = problem.value_or("")},
             arguments);
  return status;
}

}  // namespace

int recordCommand(std::span<const std::string> words) {
  const auto arguments = parseRecordArguments(words);
  if (!arguments) {
    say(arguments.error().text);
    return 2;
  }
  if (arguments->wantsHelp) {
    fmt::print("{}", kRecordHelp);
    return 0;
  }
  const std::string& word = arguments->command[0];
  const std::string path = findProgram(word);
  if (path.empty()) return reportStartError(word, ENOENT);
  return run(*arguments, path);
}

}  // namespace jitscope::collector
