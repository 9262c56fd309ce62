#pragma once

#include <cstdint>

/// \file
/// Counters that a recorder writes about the process itself, as rows of CounterRow.
namespace jitscope::trace {

/// In place of a device.
inline constexpr int64_t kNoDevice = -1;

/// For how long the threads of the process, added up, had a processor, and for how long they were
/// ready to run and had none. Both over the whole recording; threads that end before it are left
/// out.
inline constexpr const char* kRunningMetric = "processor_running_ns";
inline constexpr const char* kWaitingMetric = "processor_waiting_ns";

}  // namespace jitscope::trace
