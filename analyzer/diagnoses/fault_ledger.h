#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/finding.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

/// What can be wrong with the recording of a device.
enum class Fault {
  kNoKernels,
  kLostAtStart,
  kLostAtEnd,
  kLostBetween,
  kLostTimes,
  kNegativeDuration,
  kZeroDuration,
  kClockSkew,
  kOverlap,
  kDeviceOnly,
  kNoCorrelation,
  kUnjoined,
  kLegacyProfiler,
};

/// How often one fault was seen.
struct FaultCount {
  Sum count;
  std::vector<Occurrence> occurrences;  ///< the first ones, enough to find them on a timeline
  std::vector<int64_t> amountsNs;       ///< of a skew: by how much
  Sum summedNs, busyNs;                 ///< of an overlap: device time both ways

  void add(const Occurrence& occurrence);
};

/// Counts faults over all processes and makes one finding of each kind.
class FaultLedger {
 public:
  FaultCount& of(Fault fault) { return counts_[fault]; }

  std::vector<Finding> take();

 private:
  std::map<Fault, FaultCount> counts_;
};

}  // namespace jitscope::analyzer
