#include "analyzer/gate/measures.h"

#include <algorithm>
#include <numeric>

#include "analyzer/recording_notes.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

using Findings = std::span<const Finding* const>;

int64_t countOf(Findings findings, FindingKind kind) {
  return std::accumulate(findings.begin(), findings.end(), int64_t{0},
                         [&](int64_t sum, const Finding* finding) {
                           return finding->kind == kind ? sumOf(sum, finding->count()) : sum;
                         });
}

/// None where the files of the run do not tell what was compiled.
template <class Number>
std::optional<double> ifTold(const Run& run, Number number) {
  return tellsCompiles(run) ? std::optional(static_cast<double>(number)) : std::nullopt;
}

std::optional<double> graphBreaks(const Run& run, const Analysis&, Findings findings) {
  return ifTold(run, std::count_if(findings.begin(), findings.end(), [](const Finding* finding) {
                  return finding->kind == FindingKind::kGraphBreak;
                }));
}

std::optional<double> recompiles(const Run& run, const Analysis&, Findings findings) {
  return ifTold(run, countOf(findings, FindingKind::kRecompile));
}

std::optional<double> limitCalls(const Run& run, const Analysis&, Findings findings) {
  return ifTold(run, countOf(findings, FindingKind::kRecompileLimit));
}

std::optional<double> eagerCalls(const Run& run, const Analysis& analysis, Findings) {
  Sum calls;
  for (const FrameSummary& frame : analysis.frames) calls += frame.eager.count;
  return ifTold(run, calls);
}

std::optional<double> compileMs(const Run& run, const Analysis& analysis, Findings) {
  Sum totalNs;
  for (const FrameSummary& frame : analysis.frames) totalNs += frame.compileNs;
  constexpr double kNsPerMs = 1e6;
  return ifTold(run, static_cast<double>(totalNs) / kNsPerMs);
}

/// Outermost calls that ran compiled code, which is what a program without marked steps repeats.
int64_t stepCount(const Run& run) {
  return std::count_if(run.calls.begin(), run.calls.end(), [](const Call& call) {
    return !exists(call.parent) && call.outcome == trace::CallOutcome::kHit;
  });
}

/// Whether a kernel was launched by such a call.
bool isOfStep(const Run& run, const Process& process, KernelIndex kernel) {
  const PieceIndex piece = process.kernelPieces[position(kernel)];
  if (!exists(piece)) return false;
  CallIndex call = process.pieces[piece].call;
  if (!exists(call)) return false;
  while (exists(run.calls[call].parent)) call = run.calls[call].parent;
  return run.calls[call].outcome == trace::CallOutcome::kHit;
}

/// Sums `amount(kernel)` over the kernels of all steps and divides by the number of steps. None
/// when there are no steps, no kernels, or one of them has no (a negative) amount.
template <class Amount>
std::optional<double> perStep(const Run& run, Amount amount) {
  const int64_t steps = stepCount(run);
  if (steps == 0 || run.kernelCount() == 0) return std::nullopt;
  Sum sum;
  for (const Process& process : run.processes) {
    for (size_t row = 0; row < process.kernels.size(); ++row) {
      if (!isOfStep(run, process, static_cast<KernelIndex>(row))) continue;
      const int64_t each = amount(process.kernels, row);
      if (each < 0) return std::nullopt;
      sum += each;
    }
  }
  return static_cast<double>(sum) / static_cast<double>(steps);
}

std::optional<double> kernelsPerStep(const Run& run, const Analysis&, Findings) {
  return perStep(run, [](const KernelTable&, size_t) { return int64_t{1}; });
}

std::optional<double> exactBytesPerStep(const Run& run, const Analysis&, Findings) {
  return perStep(run, [](const KernelTable& kernels, size_t row) {
    const int64_t read = kernels.get<&trace::KernelRow::bytesRead>(row);
    const int64_t written = kernels.get<&trace::KernelRow::bytesWritten>(row);
    return read < 0 || written < 0 ? int64_t{-1} : sumOf(read, written);
  });
}

std::optional<double> modelledBytesPerStep(const Run& run, const Analysis&, Findings) {
  return perStep(run, [](const KernelTable& kernels, size_t row) {
    return kernels.get<&trace::KernelRow::modelledBytes>(row);
  });
}

constexpr std::array kMeasures{
    Measure{"graph_breaks", "different graph breaks", graphBreaks},
    Measure{"recompiles", "recompilations", recompiles},
    Measure{"limit_calls", "calls that ran eagerly at the recompile limit", limitCalls},
    Measure{"eager_calls", "calls of compiled callables that ran eagerly", eagerCalls},
    Measure{"compile_ms", "milliseconds spent compiling", compileMs},
    Measure{"kernels_per_step", "kernels per outermost compiled call", kernelsPerStep},
    Measure{"exact_bytes_per_step", "measured bytes of memory traffic per outermost compiled call",
            exactBytesPerStep},
    Measure{"modelled_bytes_per_step",
            "bytes of memory traffic by model per outermost compiled call", modelledBytesPerStep},
};

}  // namespace

std::span<const Measure> allMeasures() { return kMeasures; }

const Measure* findMeasure(std::string_view name) {
  const auto found = std::find_if(kMeasures.begin(), kMeasures.end(),
                                  [&](const Measure& each) { return each.name == name; });
  return found == kMeasures.end() ? nullptr : found;
}

}  // namespace jitscope::analyzer
