#include "trace/process_counters.h"

#include "trace/reader.h"
#include "trace/schema.h"

namespace jitscope::trace {

std::optional<int64_t> endedSteps(const TraceFile& file) {
  for (const CounterRow& row : file.rows<CounterRow>()) {
    const bool isCount = row.value >= 0 && row.value < 1e18;
    if (isCount && row.device == kNoDevice && file.text(row.metric) == kStepsMetric)
      return static_cast<int64_t>(row.value);
  }
  return std::nullopt;
}

}  // namespace jitscope::trace
