#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/process.h"
#include "analyzer/sampled_traffic.h"

namespace jitscope::analyzer {

/// The samples of the counters of one process's devices, shared out among all that ran on a device
/// meanwhile: for work that is too short for samples of its own. Of one run that says little; the
/// sum over many repeats of the same work says more.
class SharedSamples {
 public:
  SharedSamples(const Process& process, const SampledTraffic& traffic);

  /// What work moved that ran in `startNs..endNs` and was given to the constructor: of each sample
  /// the part that its time is of the time of all work. The error is nothing where it was alone,
  /// else that it may have moved all of the sample, or none. Nothing where samples are missing, and
  /// of work that is long enough for samples of its own.
  std::optional<SampledBytes> over(int64_t device, int64_t startNs, int64_t endNs) const;

  /// How long a sample of that device is in which something moved; 0 without such.
  int64_t intervalNs(int64_t device) const;

 private:
  struct Device {
    std::vector<TrafficSample> samples;
    std::vector<int64_t> busyNs;  ///< of each: the time of all work in it, added up
    /// Of each: how much more work than in the one before covers all of it.
    std::vector<int64_t> coverSteps;
    int64_t intervalNs = 0;

    size_t firstAfter(int64_t timeNs) const;
    size_t firstFrom(int64_t timeNs) const;
  };

  template <class Row>
  void addWork(const Process& process);
  void addCovering();

  std::map<int64_t, Device> byDevice_;
};

}  // namespace jitscope::analyzer
