#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/run.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

/// A stretch in which a device had nothing to do until the host launched something.
struct HostGap {
  ProcessIndex process = ProcessIndex::kNone;
  int64_t startNs = 0, endNs = 0;
  int64_t costNs = 0;        ///< without the time that compilations and graph breaks account for
  std::string hostOperator;  ///< outermost one that launched what ended it; "host code" if none
  trace::Origin origin = trace::Origin::kUnknown;  ///< of the kernel that ended it
  std::string wait;  ///< the call in which the host waited just before, e.g. cudaStreamSynchronize
};

/// What one process's devices did between their first and their last work.
struct DeviceUse {
  Sum spanNs;  ///< summed over devices
  Sum busyNs;
  Sum foreignNs;  ///< idle, while the host compiled or passed a graph break
  int64_t launches = 0;
  std::vector<HostGap> gaps;
};

/// Finds the gaps of one process. Needs recorded API calls: without them nothing tells who was
/// late, and there are no gaps.
DeviceUse deviceUseOf(const Run& run, ProcessIndex process);

}  // namespace jitscope::analyzer
