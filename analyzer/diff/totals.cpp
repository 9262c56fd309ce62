#include "analyzer/diff/totals.h"

#include <array>

#include "analyzer/load/valid_time.h"
#include "analyzer/recording_notes.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

using Value = std::optional<int64_t>;

/// A number of a run; none where the run does not hold what it counts.
struct Total {
  std::string_view name, meaning;
  TotalKind kind;
  Value (*of)(const Run& run, const Analysis& analysis);
};

Value sumOfFrames(const Analysis& analysis, auto field) {
  if (analysis.frames.empty()) return std::nullopt;
  Sum sum;
  for (const FrameSummary& frame : analysis.frames) sum += field(frame);
  return sum;
}

/// The sum of what not all files tell; none when these do not.
Value toldOfFrames(const Run& run, const Analysis& analysis, auto field) {
  return tellsCompiles(run) ? sumOfFrames(analysis, field) : std::nullopt;
}

Value calls(const Run& run, const Analysis&) {
  if (run.calls.empty()) return std::nullopt;
  return static_cast<int64_t>(run.calls.size());
}

Value hits(const Run& run, const Analysis& analysis) {
  if (run.calls.empty()) return std::nullopt;
  return sumOfFrames(analysis, [](const auto& frame) { return frame.compiled.count; });
}

Value compiles(const Run& run, const Analysis& analysis) {
  return toldOfFrames(run, analysis, [](const auto& frame) { return frame.compileCount; });
}

Value recompiles(const Run& run, const Analysis& analysis) {
  return toldOfFrames(run, analysis, [](const auto& frame) { return frame.recompileCount; });
}

Value compileNs(const Run& run, const Analysis& analysis) {
  return toldOfFrames(run, analysis, [](const auto& frame) { return frame.compileNs; });
}

Value breaks(const Run& run, const Analysis& analysis) {
  return toldOfFrames(run, analysis, [](const auto& frame) { return frame.breakCount; });
}

Value breakNs(const Run& run, const Analysis& analysis) {
  return toldOfFrames(run, analysis, [](const auto& frame) { return frame.breakNs; });
}

Value operators(const Run& run, const Analysis&) {
  if (run.opCount() == 0) return std::nullopt;
  return static_cast<int64_t>(run.opCount());
}

Value kernels(const Run& run, const Analysis&) {
  if (run.kernelCount() == 0) return std::nullopt;
  return static_cast<int64_t>(run.kernelCount());
}

Value kernelNs(const Run& run, const Analysis&) {
  if (run.kernelCount() == 0) return std::nullopt;
  Sum sum;
  for (const Process& process : run.processes) {
    const auto starts = process.kernels.cells<&trace::KernelRow::startNs>();
    const auto ends = process.kernels.cells<&trace::KernelRow::endNs>();
    for (size_t i = 0; i < starts.size(); ++i) {
      if (isValidSpan(starts[i], ends[i])) sum += ends[i] - starts[i];
    }
  }
  return sum;
}

/// The sum over kernels; none when one of them has no (a negative) amount.
Value sumOfKernels(const Run& run, auto amount) {
  if (run.kernelCount() == 0) return std::nullopt;
  Sum sum;
  for (const Process& process : run.processes) {
    for (size_t i = 0; i < process.kernels.size(); ++i) {
      const int64_t each = amount(process.kernels, i);
      if (each < 0) return std::nullopt;
      sum += each;
    }
  }
  return sum;
}

Value measuredBytes(const Run& run, const Analysis&) {
  return sumOfKernels(run, [](const KernelTable& kernels, size_t row) {
    const int64_t read = kernels.get<&trace::KernelRow::bytesRead>(row);
    const int64_t written = kernels.get<&trace::KernelRow::bytesWritten>(row);
    return read < 0 || written < 0 ? int64_t{-1} : sumOf(read, written);
  });
}

Value modelledBytes(const Run& run, const Analysis&) {
  return sumOfKernels(run, [](const KernelTable& kernels, size_t row) {
    return kernels.get<&trace::KernelRow::modelledBytes>(row);
  });
}

Value duration(const Run& run, const Analysis&) { return run.endNs - run.startNs; }

constexpr std::array kTotals{
    Total{"duration_ns", "from the first to the last event", TotalKind::kHostTime, duration},
    Total{"calls", "calls of compiled callables", TotalKind::kAmount, calls},
    Total{"hits", "calls that an entry served", TotalKind::kAmount, hits},
    Total{"compiles", "compilations", TotalKind::kAmount, compiles},
    Total{"recompiles", "compilations beyond the first", TotalKind::kAmount, recompiles},
    Total{"compile_ns", "time compiling", TotalKind::kHostTime, compileNs},
    Total{"graph_breaks", "different graph breaks", TotalKind::kAmount, breaks},
    Total{"break_ns", "time between segments", TotalKind::kHostTime, breakNs},
    Total{"operators", "operators", TotalKind::kAmount, operators},
    Total{"kernels", "kernels", TotalKind::kAmount, kernels},
    Total{"kernel_ns", "durations of kernels, summed", TotalKind::kDeviceTime, kernelNs},
    Total{"exact_bytes", "measured bytes of kernels", TotalKind::kAmount, measuredBytes},
    Total{"modelled_bytes", "bytes of kernels by model", TotalKind::kAmount, modelledBytes},
};

/// A time that a run shows once tells nothing of how much it varies.
Change judge(const Total& total, const Value& before, const Value& after) {
  if (!before) return Change::kAdded;
  if (!after) return Change::kGone;
  if (*before == *after) return Change::kSame;
  if (total.kind != TotalKind::kAmount) return Change::kUnjudged;
  return *after > *before ? Change::kMore : Change::kLess;
}

}  // namespace

std::vector<TotalDifference> compareTotals(const Run& before, const Analysis& beforeAnalysis,
                                           const Run& after, const Analysis& afterAnalysis) {
  std::vector<TotalDifference> result;
  for (const Total& total : kTotals) {
    const Value old = total.of(before, beforeAnalysis), now = total.of(after, afterAnalysis);
    if (!old && !now) continue;
    result.push_back({total.name, total.meaning, total.kind, judge(total, old, now), old, now});
  }
  return result;
}

}  // namespace jitscope::analyzer
