#pragma once

#include <algorithm>
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
  int64_t maxNs = 0;

  void add(int64_t durationNs) {
    ++count;
    totalNs += durationNs;
    maxNs = std::max(maxNs, durationNs);
  }
  int64_t meanNs() const { return count == 0 ? 0 : totalNs / count; }
};

/// Bytes of the kernels of which they are known, and how long those took.
struct TimedBytes {
  int64_t count = 0;
  Sum bytes, durationNs;

  void add(int64_t kernelBytes, int64_t kernelNs) {
    ++count;
    bytes += kernelBytes;
    durationNs += kernelNs;
  }
  int64_t meanBytes() const { return count == 0 ? 0 : bytes / count; }
};

/// What kernels moved that are too short for samples of their own: the sum over the repeats of one
/// name and launch, from samples that they share with what ran beside them.
struct RepeatedBytes {
  int64_t count = 0;
  SampledBytes bytes;
  Sum durationNs;

  RepeatedBytes& operator+=(const RepeatedBytes& other) {
    count += other.count;
    bytes += other.bytes;
    durationNs += other.durationNs;
    return *this;
  }
};

/// Kernels of one name that came to run in the same way.
struct KernelGroup {
  bool isOperator = false;   ///< operators stand here in place of kernels
  bool isGenerated = false;  ///< its name is one that torch.compile gives
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
  Sum sampledNs;               ///< how long those took
  RepeatedBytes repeated;      ///< of the others, where the repeats of a launch are enough together
  TimedBytes modelled, exact;  ///< by the shapes; by the range profiler
  Sum exactRead;               ///< the part of the exact ones that was read
  double peakBytesPerSecond = 0;  ///< of its device by the data sheet; 0 when not known
  int64_t slowestNs = 0;          ///< when the slowest of them started

  /// Bytes of one of those that were sampled, read and written.
  int64_t meanSampledBytes() const;
  /// Bytes a second, of one source: sampled, exact or modelled. 0 when not known.
  double sampledRate() const;
  double exactRate() const;
  double modelledRate() const;
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

/// The outermost operators of a run in the same groups, most time first: what took the time where
/// no kernels were recorded.
std::vector<KernelGroup> summarizeOperators(const Run& run);

/// What several groups took together.
KernelTimes timesOf(const std::vector<KernelGroup>& groups);

/// How long each of a group took, in the order in which they were recorded. Takes time proportional
/// to all kernels (or operators) of the run.
std::vector<int64_t> durationsOf(const Run& run, const KernelGroup& group);

}  // namespace jitscope::analyzer
