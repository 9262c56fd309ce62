#include "analyzer/processor_wait.h"

#include <algorithm>

#include "analyzer/load/valid_time.h"
#include "trace/process_counters.h"

namespace jitscope::analyzer {
namespace {

/// What takes a tenth longer on one side of a comparison would pass for a gain or a loss.
constexpr double kLongShare = 0.1;

/// A counter from a file that may hold anything.
int64_t nanoseconds(double value) {
  if (!(value > 0)) return 0;  // nor what is no number
  return static_cast<int64_t>(std::min(value, static_cast<double>(kLongestNs)));
}

}  // namespace

double ProcessorWait::share() const {
  const double readyNs = static_cast<double>(runningNs) + static_cast<double>(waitingNs);
  return readyNs > 0 ? static_cast<double>(waitingNs) / readyNs : 0;
}

bool ProcessorWait::isLong() const { return share() >= kLongShare; }

ProcessorWait processorWait(const Run& run) {
  ProcessorWait wait;
  for (const Process& process : run.processes) {
    for (const trace::CounterRow& row : process.rows<trace::CounterRow>()) {
      if (row.device != trace::kNoDevice) continue;
      const std::string_view metric = run.text(row.metric);
      const auto add = [&](int64_t& sumNs) { sumNs = tamed(sumNs + nanoseconds(row.value)); };
      if (metric == trace::kRunningMetric) add(wait.runningNs);
      if (metric == trace::kWaitingMetric) add(wait.waitingNs);
    }
  }
  return wait;
}

}  // namespace jitscope::analyzer
