#include "analyzer/recording_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "analyzer/import/importer.h"
#include "analyzer/place.h"
#include "analyzer/recording_format.h"
#include "analyzer/units.h"
#include "trace/process_counters.h"
#include "trace/recorded_windows.h"

namespace jitscope::analyzer {
namespace {

int64_t countOf(const Input& input, std::string_view name) {
  for (const InputCount& count : input.counts) {
    const int64_t* const amount = std::get_if<int64_t>(&count.amount);
    if (count.name == name && amount != nullptr) return *amount;
  }
  return 0;
}

bool isProfile(const Input& input) {
  return input.format == "Chrome trace" || input.format == "Nsight Systems export";
}

bool hasDeviceWork(const Input& input) {
  return countOf(input, "kern") + countOf(input, "gpu_memcpy") +
             countOf(input, "CUPTI_ACTIVITY_KIND_MEMCPY") >
         0;
}

/// Profiles of a host alone: valid, but about half of what a person may want to know.
bool isHostOnly(const Run& run) {
  const bool hasProfile = std::any_of(run.inputs.begin(), run.inputs.end(), isProfile);
  const bool hasHost = run.opCount() > 0 ||
                       std::any_of(run.inputs.begin(), run.inputs.end(), [](const Input& input) {
                         return input.format == "Nsight Systems export";
                       });
  return hasProfile && hasHost && run.kernelCount() == 0 &&
         std::none_of(run.inputs.begin(), run.inputs.end(), hasDeviceWork);
}

bool hasNoSteps(const Input& input) {
  return input.format == "Chrome trace" && countOf(input, "kern") > 0 &&
         countOf(input, "steps") == 0;
}

bool isOurs(const Input& input) { return input.format == kRecordingFormat; }

/// Whether a process is of a recording of ours. What is cut in another tool's file is a finding.
bool isRecordedByUs(const Run& run, const Process& process) {
  return std::none_of(run.inputs.begin(), run.inputs.end(), [&](const Input& input) {
    return !isOurs(input) && input.path == process.path;
  });
}

/// The first of the steps that the options of `jitscope record` ask for; 0 when they name none.
int64_t firstStepOf(std::string_view wish) {
  constexpr std::string_view kOption = "--steps ";
  const size_t at = wish.find(kOption);
  if (at == std::string_view::npos) return 0;
  const std::string_view number = wish.substr(at + kOption.size());
  int64_t first = 0;
  std::from_chars(number.data(), number.data() + number.size(), first);
  return first;
}

/// What to do when no process came to the steps that were asked for; empty when one did. The first
/// of them begins at the end of the one before it.
std::string missingSteps(const Run& run) {
  int64_t first = 0, most = 0;
  bool areAllCounted = true;
  for (const Process& process : run.processes) {
    const auto recorded = trace::recordedWindows(*process.file);
    if (!recorded) continue;
    if (!recorded->windows.empty()) return {};
    const int64_t wanted = firstStepOf(recorded->wish);
    if (wanted > 1) first = first == 0 ? wanted : std::min(first, wanted);
    const std::optional<int64_t> ended = trace::endedSteps(*process.file);
    areAllCounted = areAllCounted && ended.has_value();
    most = std::max(most, ended.value_or(0));
  }
  if (first == 0) return {};
  std::string what = "the program marked no steps";
  if (most > 0 && areAllCounted)
    what = fmt::format("the program marked only {} step{}", countText(most), most == 1 ? "" : "s");
  // A program that was killed told no number.
  if (!areAllCounted && first > 2) what += fmt::format(", or fewer than {}", first - 1);
  return what +
         ", so none of those asked for by --steps was reached: a step ends by jitscope_step() of "
         "collector/control.h, by a range ProfilerStep#N (the step() of torch.profiler), or by the "
         "step() of an optimizer of torch; --delay and --duration need no steps";
}

/// What a run of files of other tools cannot tell, and what to record to know it.
std::vector<std::string> missingSides(const Run& run) {
  std::vector<std::string> notes;
  const bool hasRunTime = run.opCount() + run.kernelCount() + run.calls.size() > 0;
  const bool hasOurs = std::any_of(run.inputs.begin(), run.inputs.end(), isOurs);
  if (!run.compiles.empty() && !hasRunTime && hasOurs)
    notes.push_back(
        "how often what was compiled ran, and what it cost there, is not in this recording: no "
        "call of it was recorded");
  if (!run.compiles.empty() && !hasRunTime && !hasOurs)
    notes.push_back(
        "how often what was compiled ran, and what it cost there, is not in these files: put the "
        "trace of torch.profiler beside them, or use jitscope record");
  if (run.compiles.empty() && !run.regions.empty() && !hasOurs)
    notes.push_back(
        "why and how long it compiled is not in these files: put the log of TORCH_TRACE beside "
        "them, or use jitscope record");
  if (isHostOnly(run))
    notes.push_back(
        "no GPU work is recorded in these files, all times are the host's: if the program uses a "
        "GPU, record it too (ProfilerActivity.CUDA for torch.profiler, ActivityType::CUDA among "
        "the activities of enableProfiler in C++, --trace=cuda for nsys)");
  if (std::any_of(run.inputs.begin(), run.inputs.end(), hasNoSteps))
    notes.push_back(
        "the trace marks no steps, so all of it is taken as one: call prof.step() after each "
        "iteration to have them");
  return notes;
}

/// The module of a place that is its offset there, as `app` of `app+0x1f20`; empty for others.
std::string moduleOf(const Place& place) {
  const std::string text = shortText(place);
  const size_t mark = text.rfind("+0x");
  const bool isOffset = place.line == 0 && mark != std::string::npos && mark + 3 < text.size() &&
                        text.find_first_not_of("0123456789abcdef", mark + 3) == std::string::npos;
  return isOffset ? text.substr(0, mark) : "";
}

/// The user's places that have no file and line: one for each module, by its name.
std::map<std::string, std::string> barePlaces(const Run& run) {
  std::set<trace::StringId> stacks;
  const auto addStacks = [&](const auto& rows) {
    for (const auto& row : rows) stacks.insert(row.stack);
  };
  addStacks(run.breaks);
  addStacks(run.compiles);
  addStacks(run.guards);
  addStacks(run.specializations);
  std::map<std::string, std::string> places;
  const auto addPlace = [&](const Place& place) {
    const std::string module = moduleOf(place);
    if (!module.empty() && !isMachinery(place)) places.emplace(module, shortText(place));
  };
  for (const trace::StringId stack : stacks) addPlace(userPlace(run.text(stack)));
  for (const Frame& frame : run.frames)
    addPlace({std::string(run.text(frame.file)), frame.line, std::string(run.text(frame.name))});
  return places;
}

/// How to have file and line where the program's debug information was not found; else empty.
std::string missingLines(const Run& run) {
  const std::map<std::string, std::string> places = barePlaces(run);
  if (places.empty()) return {};
  constexpr size_t kMostModules = 3;
  std::string modules;
  size_t named = 0;
  for (const auto& [module, place] : places) {
    if (++named > kMostModules) break;
    modules += fmt::format("{}{}", modules.empty() ? "" : ", ", module);
  }
  if (places.size() > kMostModules)
    modules += fmt::format(" and {} more", places.size() - kMostModules);
  return fmt::format(
      "places in {} have no file and line, such as {}: compile with -g1, and record where libdw "
      "(of elfutils) is installed, which reads them",
      modules, places.begin()->second);
}

}  // namespace

bool tellsCompiles(const Run& run) {
  return !run.compiles.empty() ||
         std::any_of(run.inputs.begin(), run.inputs.end(),
                     [](const Input& input) { return tellsCompiles(input); });
}

std::vector<std::string> recordingNotes(const Run& run) {
  std::vector<std::string> notes = missingSides(run);
  if (std::string steps = missingSteps(run); !steps.empty()) notes.push_back(std::move(steps));
  if (std::string lines = missingLines(run); !lines.empty()) notes.push_back(std::move(lines));
  for (const Process& process : run.processes) {
    if (process.isComplete || !isRecordedByUs(run, process)) continue;
    notes.push_back(
        fmt::format("process {} ({}) was killed or still writes: up to the last 250 ms are missing",
                    process.row.pid, process.path.filename().string()));
  }
  return notes;
}

}  // namespace jitscope::analyzer
