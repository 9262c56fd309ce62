#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "analyzer/run.h"
#include "analyzer/sampled_traffic.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

/// How often kernels ran, and how long.
struct KernelTimes {
  int64_t count = 0;
  Sum totalNs;

  void add(int64_t durationNs) {
    ++count;
    totalNs += durationNs;
  }
  int64_t meanNs() const { return count == 0 ? 0 : totalNs / count; }
};

/// Kernels of one name that came to run in the same way.
struct KernelGroup {
  trace::StringId name{};
  trace::Origin origin = trace::Origin::kUnknown;
  bool isTrial = false;                  ///< tried out while torch.compile was at work
  FrameIndex frame = FrameIndex::kNone;  ///< of the compiled graph that launched it, if any
  trace::AttemptId attempt = trace::AttemptId::kNone;
  trace::StringId op{};    ///< the innermost operator that launched it; empty when not known
  trace::StringId code{};  ///< name of the artifact that holds its generated code, if any
  KernelTimes times;
  /// What they moved, of those that were long enough to be told from the samples.
  SampledBytes traffic;
  int64_t sampledCount = 0;
};

/// Kernels of one compiled callable, by how its calls were served.
struct FrameKernels {
  KernelTimes compiled, eager;
};

/// What ran on the devices.
struct KernelSummary {
  std::vector<KernelGroup> groups;                ///< most time first
  std::map<trace::Origin, KernelTimes> byOrigin;  ///< without trials
  KernelTimes trials;
  std::vector<FrameKernels> byFrame;  ///< in the order of Run::frames
  int64_t withOp = 0;                 ///< kernels whose operator is known
  int64_t withGraph = 0;              ///< kernels whose compiled graph is known
};

/// Groups all kernels of a run. Takes time proportional to their number.
KernelSummary summarizeKernels(const Run& run);

}  // namespace jitscope::analyzer
