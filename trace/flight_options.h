#pragma once

#include <cstdint>
#include <string>

#include "trace/clock.h"

namespace jitscope::trace {

/// What a flight recorder keeps in memory, and what it writes when a trigger comes.
struct FlightOptions {
  int64_t beforeNs = 0;      ///< how much of what came before a trigger a window shows
  int64_t afterNs = 0;       ///< and how much of what follows
  int64_t mostWindows = 20;  ///< files; the oldest makes room for one more
  int64_t memoryBytes = int64_t{128} << 20;  ///< of rows and texts, packed ones included
  std::string wish;                          ///< in the user's words, for the trace
  int64_t (*now)() = nowNs;                  ///< the clock of the rows
  /// Asked ten times a second, by the recorder's thread: the time of a trigger that came since the
  /// last time, or 0. May be null.
  int64_t (*signalledNs)() = nullptr;
};

}  // namespace jitscope::trace
