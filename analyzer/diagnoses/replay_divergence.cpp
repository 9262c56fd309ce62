#include "analyzer/diagnoses/replay_divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/break_class.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/guard_cause.h"
#include "analyzer/frame_name.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// What departed from the recorded streams of one callable.
struct DivergenceGroup {
  FrameIndex frame = FrameIndex::kNone;
  Sum divergences;  ///< as the calls count them
  Cost cost;
  std::vector<Occurrence> occurrences;
  MismatchCounter guards;
  int64_t failures = 0;
  const GuardFailure* first = nullptr;
};

using DivergenceGroups = std::map<std::string, DivergenceGroup>;

void addCalls(const Subject& subject, DivergenceGroups& groups) {
  const std::map<std::string, FrameGroup> frames = frameGroups(subject);
  for (const Call& call : subject.run.calls) {
    if (call.divergences == 0) continue;
    const std::string key = frameKey(subject.run, call.frameIndex);
    DivergenceGroup& group = groups[key];
    group.frame = call.frameIndex;
    group.divergences += call.divergences;
    const int64_t hitNs = frames.at(key).hitMedianNs;
    if (hitNs > 0) group.cost.timeNs += std::max<int64_t>(0, call.durationNs() - hitNs);
    group.occurrences.push_back(
        {call.process, call.frameIndex, call.thread, call.startNs, call.endNs});
  }
}

void addFailures(const Run& run, DivergenceGroups& groups) {
  for (const GuardFailure& failure : run.guardFailures) {
    const GuardCause cause = guardCause(run.text(failure.cause), run.text(failure.text));
    if (cause != GuardCause::kDivergence) continue;
    DivergenceGroup& group = groups[frameKey(run, failure.frameIndex)];
    group.frame = failure.frameIndex;
    ++group.failures;
    if (group.first == nullptr) group.first = &failure;
    group.guards.add(run, failure);
    // Without the call's own row the failure is all that marks the moment.
    if (group.divergences == 0) {
      group.occurrences.push_back(
          {failure.process, failure.frameIndex, failure.thread, failure.timeNs, failure.timeNs});
    }
  }
}

Advice adviceOf(const Run& run, const DivergenceGroup& group) {
  Advice advice;
  advice.title = fmt::format("replay divergence: {} issues other operators than recorded",
                             frameName(run, group.frame));
  const std::string_view text = group.first != nullptr ? run.text(group.first->text) : "";
  advice.cause = fmt::format(
      "user code of {} departed from its compiled stream, so the rest of that segment ran twice or "
      "eagerly{}{}",
      frameName(run, group.frame), text.empty() ? "" : ": ", text);
  advice.fix = breakFix(BreakClass::kDivergence);
  advice.certainty = text.empty() ? Certainty::kLikely : Certainty::kCertain;
  return advice;
}

}  // namespace

std::vector<Finding> findReplayDivergences(const Subject& subject) {
  const Run& run = subject.run;
  DivergenceGroups groups;
  addCalls(subject, groups);
  addFailures(run, groups);
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding finding;
    finding.kind = FindingKind::kReplayDivergence;
    finding.causeClass = name(GuardCause::kDivergence);
    finding.id = "replay_divergence/" + key;
    finding.advice = adviceOf(run, group);
    if (group.first != nullptr) finding.place = userPlace(run.text(group.first->stack));
    if (finding.place.file.empty()) finding.place = framePlace(run, group.frame);
    finding.cost = group.cost;
    finding.evidence = {{"divergences", std::max<int64_t>(group.divergences, group.failures)},
                        {"processes", processCount(group.occurrences)}};
    finding.guards = group.guards.take();
    finding.occurrences = std::move(group.occurrences);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
