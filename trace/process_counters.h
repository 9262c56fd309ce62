#pragma once

#include <cstdint>
#include <optional>

/// \file
/// Counters that a recorder writes about the process itself, as rows of CounterRow.
namespace jitscope::trace {

class TraceFile;

/// In place of a device.
inline constexpr int64_t kNoDevice = -1;

/// For how long the threads of the process, added up, had a processor, and for how long they were
/// ready to run and had none. Both over the whole recording; threads that end before it are left
/// out.
inline constexpr const char* kRunningMetric = "processor_running_ns";
inline constexpr const char* kWaitingMetric = "processor_waiting_ns";

/// The steps that the process ended. Only where steps are counted.
inline constexpr const char* kStepsMetric = "steps_ended";

/// The value of kStepsMetric in a file; nothing when its process counted no steps.
std::optional<int64_t> endedSteps(const TraceFile& file);

}  // namespace jitscope::trace
