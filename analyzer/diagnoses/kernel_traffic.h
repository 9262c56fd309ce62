#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/finding.h"
#include "analyzer/run.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

/// How the bytes of a kernel are known. Numbers of different sources are never added up.
enum class TrafficSource {
  kExact,     ///< counted for each kernel by the range profiler
  kSampled,   ///< the GPU's counters, sampled while it ran
  kModelled,  ///< from the shapes of its tensors
};

/// "exact", "measured", "modelled".
std::string_view name(TrafficSource source);

/// What kernels of one name moved, of those whose bytes are known from one source.
struct KernelTraffic {
  int64_t kernels = 0;
  Sum durationNs, bytes;
  Sum errorBytes;  ///< by how much `bytes` can be wrong; 0 of exact and modelled ones
  /// The same kernels by their shapes, where all of them have a model; else 0.
  Sum modelledBytes;
  bool isAllModelled = true;

  /// At most, with the error taken for the kernel.
  double bytesPerSecond() const;
};

/// All kernels of one name.
struct TrafficGroup {
  std::array<KernelTraffic, 3> bySource;
  double fullRate = 0;      ///< bytes per second that the device can move; 0 when not known
  bool isCopyRate = false;  ///< a copy in this recording reached it; else the data sheet says it
  std::vector<Occurrence> occurrences;

  const KernelTraffic& of(TrafficSource source) const {
    return bySource[static_cast<size_t>(source)];
  }
};

/// The traffic of all kernels of a run, by name.
std::map<std::string, TrafficGroup> trafficOf(const Run& run);

}  // namespace jitscope::analyzer
