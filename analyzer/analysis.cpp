#include "analyzer/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/frame_name.h"
#include "analyzer/processor_wait.h"
#include "analyzer/recording_notes.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// A kind of finding in a sentence: "2 graph breaks".
struct KindWords {
  FindingKind kind;
  const char *one, *many;
};

constexpr std::array kKindWords{
    KindWords{FindingKind::kGraphBreak, "graph break", "graph breaks"},
    KindWords{FindingKind::kRecompile, "cause of recompiles", "causes of recompiles"},
    KindWords{FindingKind::kRecompileLimit, "recompile limit", "recompile limits"},
    KindWords{FindingKind::kReplayDivergence, "replay divergence", "replay divergences"},
    KindWords{FindingKind::kSpecializedSize, "specialised size", "specialised sizes"},
    KindWords{FindingKind::kFailedCompile, "failed compilation", "failed compilations"},
    KindWords{FindingKind::kSlowerThanEager, "callable slower than eager",
              "callables slower than eager"},
    KindWords{FindingKind::kPlainSegment, "segment that is not compiled",
              "segments that are not compiled"},
    KindWords{FindingKind::kCudagraph, "CUDA graph trouble", "CUDA graph troubles"},
    KindWords{FindingKind::kHostBound, "host-bound device", "host-bound devices"},
    KindWords{FindingKind::kSynchronization, "synchronisation", "synchronisations"},
    KindWords{FindingKind::kMissedFusion, "missed fusion", "missed fusions"},
    KindWords{FindingKind::kMemoryTraffic, "kernel with slow memory", "kernels with slow memory"},
    KindWords{FindingKind::kStraggler, "straggling rank", "straggling ranks"},
    KindWords{FindingKind::kGuardCost, "callable with costly guards",
              "callables with costly guards"},
    KindWords{FindingKind::kColdCompile, "cold start", "cold starts"},
    KindWords{FindingKind::kProgramError, "error of the program", "errors of the program"},
    KindWords{FindingKind::kAutotune, "autotuning", "autotunings"},
    KindWords{FindingKind::kServerStart, "slow stage of a server's start",
              "slow stages of a server's start"},
    KindWords{FindingKind::kEagerFallback, "eager fallback", "eager fallbacks"},
    KindWords{FindingKind::kRecording, "fault of the recording", "faults of the recording"},
};

std::string countsOf(const std::vector<Finding>& findings) {
  std::vector<std::string> parts;
  for (const KindWords& words : kKindWords) {
    const auto count = std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.kind == words.kind;
    });
    if (count > 0)
      parts.push_back(fmt::format("{} {}", count, count == 1 ? words.one : words.many));
  }
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

/// What files show that cannot tell whether anything was compiled badly: no praise.
std::string seenIn(const Run& run) {
  const auto count = [](size_t amount, const char* what) {
    return fmt::format("{} {}{}", countText(static_cast<int64_t>(amount)), what,
                       amount == 1 ? "" : "s");
  };
  if (!run.calls.empty()) return count(run.calls.size(), "call") + " of compiled callables.";
  if (!run.regions.empty()) return count(run.regions.size(), "run") + " of compiled regions.";
  return "No compiled callable among " + count(run.opCount(), "operator") + " and " +
         count(run.kernelCount(), "kernel") + ".";
}

/// The verdict on a run in which nothing was found.
std::string goodVerdict(const Run& run) {
  if (!tellsCompiles(run)) return seenIn(run);
  if (run.calls.empty() && run.compiles.empty()) {
    return fmt::format("Nothing was compiled in this run: {} operators, no compiled callable.",
                       countText(static_cast<int64_t>(run.opCount())));
  }
  if (run.calls.empty()) {
    const auto count = static_cast<int64_t>(run.compiles.size());
    return fmt::format(
        "Nothing to mend: {} compilation{} without graph break and without recompile.",
        countText(count), count == 1 ? "" : "s");
  }
  return fmt::format(
      "Nothing to mend: {} calls of compiled callables without graph break and "
      "without recompile.",
      countText(static_cast<int64_t>(run.calls.size())));
}

/// The costs of all findings beside the time of the run. They can be more than there was: processes
/// lose time side by side, what compiles also keeps a device waiting, and a log tells of durations
/// before its first line.
std::string sumText(int64_t costNs, int64_t runNs) {
  std::string cost = durationText(costNs);
  if (runNs == 0) return cost;
  return costNs > runNs ? fmt::format("{} in sum ({} recorded)", cost, durationText(runNs))
                        : fmt::format("{} of {}", cost, durationText(runNs));
}

std::string verdictOf(const Run& run, const std::vector<Finding>& findings) {
  if (findings.empty()) return goodVerdict(run);
  Cost total;
  for (const Finding& finding : findings) total += finding.cost;
  const Finding& worst = findings.front();
  if (total.timeNs == 0) {
    return fmt::format("{} without measurable cost.", countsOf(findings));
  }
  const std::string place = worst.place.file.empty() ? "" : " is at " + shortText(worst.place);
  const std::string cost =
      worst.cost.timeNs > 0 ? fmt::format(" ({})", durationText(worst.cost.timeNs)) : "";
  return fmt::format("{} cost {}; the worst{}: {}{}.", countsOf(findings),
                     sumText(total.timeNs, run.endNs - run.startNs), place, worst.advice.title,
                     cost);
}

/// How the callable with most compiled time compares with its eager calls; empty when no callable
/// ran both ways.
std::string speedOf(const Run& run, const std::vector<FrameSummary>& frames) {
  const FrameSummary* busiest = nullptr;
  for (const FrameSummary& frame : frames) {
    const bool isBusier = busiest == nullptr || frame.compiled.totalNs > busiest->compiled.totalNs;
    if (frame.speedup() && isBusier) busiest = &frame;
  }
  if (busiest == nullptr) return {};
  return fmt::format(" Compiled calls of {} run {} as fast as eager ones.",
                     frameName(run, busiest->frame), ratioText(*busiest->speedup()));
}

/// What a run cannot say; empty when it can.
std::string untoldOf(const Run& run) {
  return tellsCompiles(run) ? std::string() : " " + std::string(kCompilesUntold);
}

/// What a run says about its times when its threads had to wait; empty when they had not.
std::string doubtOf(const Run& run, const ProcessorWait& wait) {
  const bool hasTimes = !run.calls.empty() || !run.compiles.empty();
  if (!hasTimes || !wait.isLong()) return {};
  return fmt::format(
      " The machine was busy: in {:.0f} % of the time in which the program could run, it waited "
      "for a processor, so these times are not reliable; {}.",
      100 * wait.share(), kHowToBeReliable);
}

/// Who is slower by its times alone may not be so when they were not its own.
void doubtComparisons(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.kind != FindingKind::kSlowerThanEager) continue;
    finding.advice.certainty = Certainty::kUnknown;
    finding.advice.fix = "record again on a quiet machine; if it stays so, " + finding.advice.fix;
  }
}

/// What a program pays once and keeps comes behind what it pays again and again.
bool isPaidOnce(const Finding& finding) {
  return finding.kind == FindingKind::kColdCompile || finding.kind == FindingKind::kAutotune ||
         finding.kind == FindingKind::kServerStart;
}

/// What makes a program slower by orders without a word.
bool isLoudest(const Finding& finding) { return finding.causeClass == "unfused_fallback"; }

/// What comes first among findings whose cost is not known: what makes whole functions run eagerly.
int urgency(const Finding& finding) {
  if (finding.cost.timeNs > 0) return 0;
  if (finding.kind == FindingKind::kRecompileLimit) return 1;
  return finding.causeClass == "frame_skip" ? 2 : 3;
}

}  // namespace

Analysis analyze(const Run& run) {
  Analysis analysis;
  analysis.frames = summarizeFrames(run);
  const Subject subject{run, analysis.frames};
  for (const Diagnosis& diagnosis : allDiagnoses()) {
    std::vector<Finding> found = diagnosis.find(subject);
    std::move(found.begin(), found.end(), std::back_inserter(analysis.findings));
  }
  for (Finding& finding : analysis.findings) {
    std::stable_sort(finding.occurrences.begin(), finding.occurrences.end(),
                     [](const auto& a, const auto& b) { return a.startNs < b.startNs; });
  }
  std::stable_sort(
      analysis.findings.begin(), analysis.findings.end(), [](const Finding& a, const Finding& b) {
        return std::tuple(!isLoudest(a), isPaidOnce(a), -a.cost.timeNs, urgency(a), -a.count(),
                          a.id) < std::tuple(!isLoudest(b), isPaidOnce(b), -b.cost.timeNs,
                                             urgency(b), -b.count(), b.id);
      });
  const ProcessorWait wait = processorWait(run);
  if (wait.isLong()) doubtComparisons(analysis.findings);
  analysis.verdict = verdictOf(run, analysis.findings) + speedOf(run, analysis.frames) +
                     untoldOf(run) + doubtOf(run, wait);
  return analysis;
}

}  // namespace jitscope::analyzer
