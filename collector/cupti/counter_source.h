#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/result.h"

namespace jitscope::collector {

/// What the counters of a device counted over one interval.
struct CounterSample {
  static constexpr size_t kMostCounters = 8;
  int64_t startNs = 0, endNs = 0;
  std::array<double, kMostCounters> values{};  ///< in the order of CounterSource::start
};

/// Samples since the last time.
struct CounterBatch {
  std::vector<CounterSample> samples;
  bool isCut = false;  ///< there was no place for all of them
  std::string fault;   ///< why there can be no more; empty while all is well
};

/// Counts what a device does, interval by interval. A test plays one. For one thread.
class CounterSource {
 public:
  virtual ~CounterSource() = default;

  /// Begins; gives the names of the counters as they stand in a trace. An error says why it cannot
  /// and what to do about it.
  virtual trace::Result<std::vector<std::string>> start(uint32_t device) = 0;
  virtual CounterBatch read() = 0;
  /// Ends, with what was counted since the last reading.
  virtual CounterBatch stop() = 0;
  /// How long an interval is.
  virtual int64_t intervalNs() const = 0;
};

}  // namespace jitscope::collector
