#include "analyzer/recording_notes.h"

#include <fmt/format.h>

namespace jitscope::analyzer {
namespace {

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
