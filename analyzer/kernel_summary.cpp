#include "analyzer/kernel_summary.h"

#include <algorithm>
#include <tuple>

#include "analyzer/frame_summary.h"
#include "analyzer/import/generated_kernel.h"
#include "analyzer/kernel_models.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/shared_samples.h"

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

constexpr double kNsPerSecond = 1e9;

double rateOf(double bytes, int64_t durationNs) {
  return durationNs <= 0 ? 0 : bytes * kNsPerSecond / static_cast<double>(durationNs);
}

/// What belongs to one group.
GroupKey keyOf(const KernelGroup& group) {
  return {group.name, group.origin, group.isTrial, group.frame, group.attempt, group.op};
}

/// Says of what stretch of a thread's time something is.
void place(const Run& run, const Process& process, PieceIndex piece, KernelGroup& group) {
  if (!exists(piece)) return;
  group.isTrial = process.pieces[piece].isCompiling;
  if (!exists(process.pieces[piece].region)) return;
  const Region& region = run.regions[process.pieces[piece].region];
  group.frame = region.frameIndex;
  group.attempt = region.attempt;
}

/// The group, without numbers, that a kernel belongs to.
KernelGroup groupOfKernel(const Run& run, const Process& process, size_t i) {
  KernelGroup group;
  group.name = process.kernels.get<&KernelRow::name>(i);
  group.origin = process.originOf(static_cast<KernelIndex>(i));
  if (const OpIndex op = process.kernelOps[i]; exists(op))
    group.op = process.ops.get<&trace::OpRow::name>(position(op));
  place(run, process, process.kernelPieces[i], group);
  return group;
}

/// The group, without numbers, that an operator belongs to.
KernelGroup groupOfOperator(const Run& run, const Process& process, size_t i) {
  KernelGroup group;
  group.isOperator = true;
  group.name = process.ops.get<&trace::OpRow::name>(i);
  group.origin = process.originOf(static_cast<OpIndex>(i));
  place(run, process, process.opPieces[i], group);
  return group;
}

void sortByTime(std::vector<KernelGroup>& groups) {
  std::stable_sort(groups.begin(), groups.end(), [](const KernelGroup& a, const KernelGroup& b) {
    return a.times.totalNs > b.times.totalNs;
  });
}

/// Adds one kernel or operator to its group.
void addTime(KernelGroup& group, int64_t startNs, int64_t endNs) {
  if (group.times.count == 0 || endNs - startNs > group.times.maxNs) group.slowestNs = startNs;
  group.times.add(endNs - startNs);
}

/// Repeats that are shorter than that many samples together say nothing.
constexpr int64_t kFewestSummedSamples = 5;

/// The short kernels of one group, by their launch.
struct ShortKernels {
  RepeatedBytes sum;
  int64_t intervalNs = 0;

  /// Whether the sum says anything: it is long enough, and not all of it may be of others.
  bool isKnown() const {
    const double most = std::max(sum.bytes.read, sum.bytes.written);
    return sum.count > 1 && intervalNs > 0 && sum.durationNs >= kFewestSummedSamples * intervalNs &&
           sum.bytes.error <= most;
  }
};

class Grouping {
 public:
  explicit Grouping(const Run& run) : run_(run), models_(run) {
    summary_.byFrame.resize(run.frames.size());
  }

  void add(const Process& process) {
    const SampledTraffic traffic(process);
    const SharedSamples shared(process, traffic);
    const std::vector<int64_t> models = models_.of(process);
    std::map<int64_t, double> peaks;
    for (const trace::DeviceRow& row : process.rows<trace::DeviceRow>())
      peaks[row.device] = row.peakBytesPerSecond;
    for (size_t i = 0; i < process.kernels.size(); ++i) {
      const int64_t startNs = process.kernels.get<&KernelRow::startNs>(i);
      const int64_t endNs = process.kernels.get<&KernelRow::endNs>(i);
      if (!isValidSpan(startNs, endNs)) continue;
      KernelGroup& group = groupOf(process, i);
      addTime(group, startNs, endNs);
      (group.isTrial ? summary_.trials : summary_.byOrigin[group.origin]).add(endNs - startNs);
      addToFrames(process, i, endNs - startNs);
      addBytes(process.kernels, i, group);
      if (models[i] >= 0) group.modelled.add(models[i], endNs - startNs);
      const int64_t device = process.kernels.get<&KernelRow::device>(i);
      if (const auto peak = peaks.find(device); peak != peaks.end())
        group.peakBytesPerSecond = peak->second;
      if (traffic.isEmpty()) continue;
      if (const auto bytes = traffic.over(device, startNs, endNs)) {
        group.traffic += *bytes;
        ++group.sampledCount;
        group.sampledNs += endNs - startNs;
      } else if (const auto part = shared.over(device, startNs, endNs)) {
        const trace::StringId launch = process.kernels.get<&KernelRow::launch>(i);
        ShortKernels& repeats = repeats_[{keyOf(group), launch}];
        repeats.sum += {1, *part, endNs - startNs};
        repeats.intervalNs = shared.intervalNs(device);
      }
    }
  }

  KernelSummary take() {
    for (const auto& [key, repeats] : repeats_) {
      if (repeats.isKnown()) groups_.at(key.first).repeated += repeats.sum;
    }
    for (auto& [key, group] : groups_) {
      group.code = codeOf(run_, group);
      group.isGenerated = isGeneratedKernel(run_.text(group.name));
      summary_.groups.push_back(group);
    }
    sortByTime(summary_.groups);
    return std::move(summary_);
  }

 private:
  KernelGroup& groupOf(const Process& process, size_t i) {
    const KernelGroup made = groupOfKernel(run_, process, i);
    if (exists(process.kernelOps[i])) ++summary_.withOp;
    const PieceIndex piece = process.kernelPieces[i];
    if (exists(piece) && exists(process.pieces[piece].region)) ++summary_.withGraph;
    return groups_.try_emplace(keyOf(made), made).first->second;
  }

  static void addBytes(const KernelTable& kernels, size_t i, KernelGroup& group) {
    const int64_t durationNs =
        kernels.get<&KernelRow::endNs>(i) - kernels.get<&KernelRow::startNs>(i);
    const int64_t read = kernels.get<&KernelRow::bytesRead>(i);
    const int64_t written = kernels.get<&KernelRow::bytesWritten>(i);
    if (read < 0 || written < 0) return;
    group.exact.add(sumOf(read, written), durationNs);
    group.exactRead += read;
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
  KernelModels models_;
  std::map<GroupKey, KernelGroup> groups_;
  std::map<std::pair<GroupKey, trace::StringId>, ShortKernels> repeats_;
  KernelSummary summary_;
};

}  // namespace

int64_t KernelGroup::meanSampledBytes() const {
  if (sampledCount == 0) return 0;
  return amountOf((traffic.read + traffic.written) / static_cast<double>(sampledCount));
}

double KernelGroup::sampledRate() const {
  return rateOf(traffic.read + traffic.written, sampledNs);
}

double KernelGroup::exactRate() const {
  return rateOf(static_cast<double>(exact.bytes), exact.durationNs);
}

double KernelGroup::modelledRate() const {
  return rateOf(static_cast<double>(modelled.bytes), modelled.durationNs);
}

KernelSummary summarizeKernels(const Run& run) {
  Grouping grouping(run);
  for (const Process& process : run.processes) grouping.add(process);
  return grouping.take();
}

std::vector<KernelGroup> summarizeOperators(const Run& run) {
  std::map<GroupKey, KernelGroup> groups;
  for (const Process& process : run.processes) {
    for (size_t i = 0; i < process.ops.size(); ++i) {
      const int64_t startNs = process.ops.get<&trace::OpRow::startNs>(i);
      const int64_t endNs = process.ops.get<&trace::OpRow::endNs>(i);
      if (process.ops.get<&trace::OpRow::depth>(i) != 0 || !isValidSpan(startNs, endNs)) continue;
      const KernelGroup made = groupOfOperator(run, process, i);
      addTime(groups.try_emplace(keyOf(made), made).first->second, startNs, endNs);
    }
  }
  std::vector<KernelGroup> result;
  for (const auto& [key, group] : groups) result.push_back(group);
  sortByTime(result);
  return result;
}

KernelTimes timesOf(const std::vector<KernelGroup>& groups) {
  KernelTimes times;
  for (const KernelGroup& group : groups) {
    times.count += group.times.count;
    times.totalNs += group.times.totalNs;
    times.maxNs = std::max(times.maxNs, group.times.maxNs);
  }
  return times;
}

std::vector<int64_t> durationsOf(const Run& run, const KernelGroup& group) {
  std::vector<int64_t> durationsNs;
  const GroupKey wanted = keyOf(group);
  const auto add = [&](const KernelGroup& found, int64_t startNs, int64_t endNs) {
    if (isValidSpan(startNs, endNs) && keyOf(found) == wanted)
      durationsNs.push_back(endNs - startNs);
  };
  for (const Process& process : run.processes) {
    for (size_t i = 0; !group.isOperator && i < process.kernels.size(); ++i) {
      if (process.kernels.get<&KernelRow::name>(i) != group.name) continue;
      add(groupOfKernel(run, process, i), process.kernels.get<&KernelRow::startNs>(i),
          process.kernels.get<&KernelRow::endNs>(i));
    }
    for (size_t i = 0; group.isOperator && i < process.ops.size(); ++i) {
      if (process.ops.get<&trace::OpRow::name>(i) != group.name) continue;
      if (process.ops.get<&trace::OpRow::depth>(i) != 0) continue;
      add(groupOfOperator(run, process, i), process.ops.get<&trace::OpRow::startNs>(i),
          process.ops.get<&trace::OpRow::endNs>(i));
    }
  }
  return durationsNs;
}

}  // namespace jitscope::analyzer
