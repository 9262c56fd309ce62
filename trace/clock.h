#pragma once

#include <time.h>

#include <cstdint>

namespace jitscope::trace {

/// Now, as every time in a trace: nanoseconds since the Unix epoch (CLOCK_REALTIME).
inline int64_t nowNs() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace jitscope::trace
