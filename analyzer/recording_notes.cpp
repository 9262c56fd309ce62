#include "analyzer/recording_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

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

/// What a run of files of other tools cannot tell, and what to record to know it.
std::vector<std::string> missingSides(const Run& run) {
  std::vector<std::string> notes;
  const bool hasRunTime = run.opCount() + run.kernelCount() + run.calls.size() > 0;
  if (!run.compiles.empty() && !hasRunTime)
    notes.push_back(
        "how often what was compiled ran, and what it cost there, is not in these files: put the "
        "trace of torch.profiler beside them, or use jitscope record");
  if (run.compiles.empty() && !run.regions.empty())
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

}  // namespace

std::vector<std::string> recordingNotes(const Run& run) {
  std::vector<std::string> notes = missingSides(run);
  for (const Process& process : run.processes) {
    if (process.isComplete) continue;
    notes.push_back(
        fmt::format("process {} ({}) was killed or still writes: up to the last 250 ms are missing",
                    process.row.pid, process.path.filename().string()));
  }
  return notes;
}

}  // namespace jitscope::analyzer
