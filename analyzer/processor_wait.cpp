#include "analyzer/processor_wait.h"

#include "trace/process_counters.h"

namespace jitscope::analyzer {
namespace {

/// What takes a tenth longer on one side of a comparison would pass for a gain or a loss.
constexpr double kLongShare = 0.1;

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
      if (metric == trace::kRunningMetric) wait.runningNs += amountOf(row.value);
      if (metric == trace::kWaitingMetric) wait.waitingNs += amountOf(row.value);
    }
  }
  return wait;
}

}  // namespace jitscope::analyzer
