#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/process.h"

namespace jitscope::analyzer {

/// Bytes from and to device memory as the GPU's counters had them.
struct SampledBytes {
  double read = 0, written = 0;
  /// How wrong each of the two can be: samples at the edges belong to what is around, too.
  double error = 0;

  SampledBytes& operator+=(const SampledBytes& other);
};

/// What moved from and to device memory in one interval.
struct TrafficSample {
  int64_t startNs = 0, endNs = 0;
  double read = 0, written = 0;
};

/// The samples of the counters of one process's devices, to be asked for stretches of time.
class SampledTraffic {
 public:
  explicit SampledTraffic(const Process& process);

  bool isEmpty() const { return byDevice_.empty(); }

  /// What moved in `startNs..endNs`: samples at the edges count by the part that lies inside.
  /// Nothing where samples are missing, and where the stretch has fewer than five of them: what
  /// happened beside it would be taken for its own.
  std::optional<SampledBytes> over(int64_t device, int64_t startNs, int64_t endNs) const;

  std::vector<int64_t> devices() const;

  /// The samples of a device, by time and without overlap, that have both counters.
  std::vector<TrafficSample> samples(int64_t device) const;

 private:
  /// The samples of one counter, by time and without overlap.
  struct Series {
    std::vector<int64_t> startNs, endNs;
    std::vector<double> before;  ///< the sum of the samples in front of each, and of all

    void add(int64_t start, int64_t end, double value);
    std::optional<SampledBytes> over(int64_t startNs, int64_t endNs) const;
    double value(size_t at) const { return before[at + 1] - before[at]; }
    double inside(size_t at, int64_t startNs, int64_t endNs) const;
  };
  struct Device {
    Series read, written;
  };

  std::map<int64_t, Device> byDevice_;
};

}  // namespace jitscope::analyzer
