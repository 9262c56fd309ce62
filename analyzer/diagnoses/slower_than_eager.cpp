#include "analyzer/diagnoses/slower_than_eager.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/measure/durations.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// The calls of one callable that tell how long it takes.
struct SpeedGroup {
  std::vector<int64_t> hitNs, eagerNs;
  std::vector<CallIndex> hits;  ///< those of hitNs
  Sum guardNs;                  ///< of the hits
  Sum breakNs;                  ///< time between segments, which has findings of its own
  FrameIndex frame = FrameIndex::kNone;
};

using SpeedGroups = std::map<std::string, SpeedGroup>;

SpeedGroups callsByFrame(const Subject& subject) {
  const Run& run = subject.run;
  SpeedGroups groups;
  std::vector<SpeedGroup*> groupOfFrame;
  for (const FrameSummary& frame : subject.frames) {
    SpeedGroup& group = groups[frameKey(run, frame.frame)];
    if (!exists(group.frame)) group.frame = frame.frame;
    group.breakNs += frame.breakNs;
    groupOfFrame.push_back(&group);
  }
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const CallIndex index = run.calls.indexAt(i);
    const Call& call = run.calls[index];
    SpeedGroup& group = *groupOfFrame[position(call.frameIndex)];
    if (call.outcome == trace::CallOutcome::kHit && call.divergences == 0) {
      group.hitNs.push_back(call.durationNs());
      group.hits.push_back(index);
      group.guardNs += call.guardNs;
    }
    // A call beyond the recompile limit has inputs unlike those that hit.
    const bool isForced = call.outcome == trace::CallOutcome::kForcedEager;
    if (isForced && isPlainEager(run, call)) group.eagerNs.push_back(call.durationNs());
  }
  return groups;
}

/// The hit that took as long as half of the others: what a person should look at.
const Call& typicalHit(const Run& run, const SpeedGroup& group, int64_t medianNs) {
  const auto isTypical = [&](CallIndex index) { return run.calls[index].durationNs() == medianNs; };
  return run.calls[*std::find_if(group.hits.begin(), group.hits.end(), isTypical)];
}

Advice adviceOf(const Run& run, const SpeedGroup& group, int64_t hitNs, int64_t eagerNs) {
  const std::string who = frameName(run, group.frame);
  const int64_t guardNs = group.guardNs / static_cast<int64_t>(group.hitNs.size());
  Advice advice;
  advice.title = fmt::format("slower than eager: a compiled call of {} takes {}, an eager one {}",
                             who, durationText(hitNs), durationText(eagerNs));
  advice.cause = fmt::format(
      "compiled calls of {} take {} longer than eager ones, by the medians of {} and {} calls; {} "
      "of that go into guards",
      who, durationText(hitNs - eagerNs), countText(static_cast<int64_t>(group.hitNs.size())),
      countText(static_cast<int64_t>(group.eagerNs.size())), durationText(guardNs));
  const bool isGuards = 2 * guardNs > hitNs - eagerNs;
  advice.fix =
      isGuards
          ? "give the callable fewer arguments to guard: pack tensors that go together, and keep "
            "what never changes out of its arguments; or compile a larger function, so that guards "
            "are checked once for more work"
          : "compile a larger function, so that one call does more work, or leave this one eager; "
            "compare both on the same inputs first, for the recording does not tell whether these "
            "were";
  advice.certainty = Certainty::kLikely;
  return advice;
}

}  // namespace

std::vector<Finding> findSlowerThanEager(const Subject& subject) {
  const Run& run = subject.run;
  std::vector<Finding> findings;
  for (const auto& [key, group] : callsByFrame(subject)) {
    if (group.hitNs.empty() || group.eagerNs.empty()) continue;
    const int64_t hitNs = medianOf(group.hitNs);
    const int64_t eagerNs = medianOf(group.eagerNs);
    const auto hits = static_cast<int64_t>(group.hitNs.size());
    const int64_t excessNs = productOf(hitNs - eagerNs, hits) - group.breakNs;
    const bool isSlower = static_cast<double>(hitNs) >= kLeastRatio * static_cast<double>(eagerNs);
    if (!isSlower || excessNs <= 0 ||
        deviationsAbove(group.hitNs, group.eagerNs) < kLeastDeviations)
      continue;
    const Call& typical = typicalHit(run, group, hitNs);
    Finding finding;
    finding.kind = FindingKind::kSlowerThanEager;
    finding.causeClass = "slower_than_eager";
    finding.id = "slower_than_eager/" + key;
    finding.advice = adviceOf(run, group, hitNs, eagerNs);
    finding.place = framePlace(run, group.frame);
    finding.cost.timeNs = excessNs;
    finding.evidence = {{"compiled calls", hits},
                        {"eager calls", static_cast<int64_t>(group.eagerNs.size())}};
    finding.occurrences = {
        {typical.process, typical.frameIndex, typical.thread, typical.startNs, typical.endNs}};
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
