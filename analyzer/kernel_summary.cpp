#include "analyzer/kernel_summary.h"

#include <algorithm>
#include <tuple>

#include "analyzer/frame_summary.h"
#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;
using GroupKey =
    std::tuple<trace::StringId, trace::Origin, bool, FrameIndex, trace::AttemptId, trace::StringId>;

/// The generated code of a graph in which the kernel's name stands.
trace::StringId codeOf(const Run& run, const KernelGroup& group) {
  if (!exists(group.frame)) return {};
  for (const Artifact& artifact : run.artifacts) {
    const bool isCode = artifact.frameIndex == group.frame && artifact.attempt == group.attempt &&
                        run.text(artifact.kind) == "output_code";
    const bool isIts =
        isCode && run.text(artifact.content).find(run.text(group.name)) != std::string_view::npos;
    if (isIts) return artifact.name;
  }
  return {};
}

class Grouping {
 public:
  explicit Grouping(const Run& run) : run_(run) { summary_.byFrame.resize(run.frames.size()); }

  void add(const Process& process) {
    const SampledTraffic traffic(process);
    for (size_t i = 0; i < process.kernels.size(); ++i) {
      const int64_t startNs = process.kernels.get<&KernelRow::startNs>(i);
      const int64_t endNs = process.kernels.get<&KernelRow::endNs>(i);
      if (!isValidSpan(startNs, endNs)) continue;
      KernelGroup& group = groupOf(process, i);
      group.times.add(endNs - startNs);
      (group.isTrial ? summary_.trials : summary_.byOrigin[group.origin]).add(endNs - startNs);
      addToFrames(process, i, endNs - startNs);
      if (traffic.isEmpty()) continue;
      const int64_t device = process.kernels.get<&KernelRow::device>(i);
      if (const auto bytes = traffic.over(device, startNs, endNs)) {
        group.traffic += *bytes;
        ++group.sampledCount;
      }
    }
  }

  KernelSummary take() {
    for (auto& [key, group] : groups_) {
      group.code = codeOf(run_, group);
      summary_.groups.push_back(group);
    }
    std::stable_sort(summary_.groups.begin(), summary_.groups.end(),
                     [](const KernelGroup& a, const KernelGroup& b) {
                       return a.times.totalNs > b.times.totalNs;
                     });
    return std::move(summary_);
  }

 private:
  KernelGroup& groupOf(const Process& process, size_t i) {
    KernelGroup made;
    made.name = process.kernels.get<&KernelRow::name>(i);
    made.origin = process.originOf(static_cast<KernelIndex>(i));
    if (const OpIndex op = process.kernelOps[i]; exists(op)) {
      made.op = process.ops.get<&trace::OpRow::name>(position(op));
      ++summary_.withOp;
    }
    const PieceIndex piece = process.kernelPieces[i];
    made.isTrial = exists(piece) && process.pieces[piece].isCompiling;
    if (exists(piece) && exists(process.pieces[piece].region)) {
      const Region& region = run_.regions[process.pieces[piece].region];
      made.frame = region.frameIndex;
      made.attempt = region.attempt;
      ++summary_.withGraph;
    }
    const GroupKey key{made.name, made.origin, made.isTrial, made.frame, made.attempt, made.op};
    return groups_.try_emplace(key, made).first->second;
  }

  /// Counts a kernel for the call that launched it and for those around that.
  void addToFrames(const Process& process, size_t i, int64_t durationNs) {
    const PieceIndex piece = process.kernelPieces[i];
    if (!exists(piece)) return;
    for (CallIndex at = process.pieces[piece].call; exists(at); at = run_.calls[at].parent) {
      const Call& call = run_.calls[at];
      if (!exists(call.frameIndex)) continue;
      FrameKernels& frame = summary_.byFrame[position(call.frameIndex)];
      if (call.outcome == trace::CallOutcome::kHit) frame.compiled.add(durationNs);
      if (isPlainEager(run_, call)) frame.eager.add(durationNs);
    }
  }

  const Run& run_;
  std::map<GroupKey, KernelGroup> groups_;
  KernelSummary summary_;
};

}  // namespace

KernelSummary summarizeKernels(const Run& run) {
  Grouping grouping(run);
  for (const Process& process : run.processes) grouping.add(process);
  return grouping.take();
}

}  // namespace jitscope::analyzer
