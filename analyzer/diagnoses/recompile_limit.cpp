#include "analyzer/diagnoses/recompile_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/guard_cause.h"
#include "analyzer/frame_name.h"

namespace jitscope::analyzer {
namespace {

/// The calls of one callable that ran eagerly because of the limit.
struct LimitGroup {
  FrameIndex frame = FrameIndex::kNone;
  Cost cost;
  std::vector<Occurrence> occurrences;
  std::map<GuardCause, int64_t> causes;
  std::map<GuardCause, GuardStory> stories;  ///< the first of each cause
  trace::StringId stack{};
  MismatchCounter guards;
};

using LimitGroups = std::map<std::string, LimitGroup>;

LimitGroups groupCalls(const Subject& subject) {
  const std::map<std::string, FrameGroup> frames = frameGroups(subject);
  LimitGroups groups;
  for (const Call& call : subject.run.calls) {
    if (call.outcome != trace::CallOutcome::kLimit) continue;
    const std::string key = frameKey(subject.run, call.frameIndex);
    LimitGroup& group = groups[key];
    if (!exists(group.frame)) group.frame = call.frameIndex;
    const int64_t hitNs = frames.at(key).hitMedianNs;
    if (hitNs > 0) group.cost.timeNs += std::max<int64_t>(0, call.durationNs() - hitNs);
    group.occurrences.push_back(
        {call.process, call.frameIndex, call.thread, call.startNs, call.endNs});
  }
  return groups;
}

void addFailures(const Run& run, LimitGroups& groups) {
  for (const GuardFailure& failure : run.guardFailures) {
    if (failure.caused != trace::AttemptId::kNone) continue;
    const auto group = groups.find(frameKey(run, failure.frameIndex));
    if (group == groups.end()) continue;
    const GuardStory story = guardStory(run, failure);
    if (story.cause == GuardCause::kDivergence) continue;
    ++group->second.causes[story.cause];
    group->second.stories.try_emplace(story.cause, story);
    if (group->second.stack == trace::StringId{}) group->second.stack = failure.stack;
    group->second.guards.add(run, failure);
  }
}

Advice adviceOf(const Run& run, const LimitGroup& group) {
  Advice advice;
  advice.title =
      fmt::format("recompile limit reached: {} runs eagerly", frameName(run, group.frame));
  advice.certainty = Certainty::kLikely;
  if (group.causes.empty()) {
    advice.cause = fmt::format(
        "{} has as many entries as it may have, so calls that fit none of them run eagerly; the "
        "recording does not tell which guards failed",
        frameName(run, group.frame));
    advice.fix = "JITSCOPE_LOGS=\"recompiles\" prints why each entry did not fit";
    advice.certainty = Certainty::kUnknown;
    return advice;
  }
  const auto most =
      std::max_element(group.causes.begin(), group.causes.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const Advice recompile = recompileAdvice(group.stories.at(most->first));
  advice.cause = fmt::format(
      "{} has as many entries as it may have, so calls that fit none of them run eagerly; mostly "
      "{}",
      frameName(run, group.frame), recompile.cause);
  advice.fix = recompile.fix +
               "; raise CompileOptions::recompileLimit only if the number of variants is bounded";
  return advice;
}

}  // namespace

std::vector<Finding> findRecompileLimits(const Subject& subject) {
  const Run& run = subject.run;
  LimitGroups groups = groupCalls(subject);
  addFailures(run, groups);
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding finding;
    finding.kind = FindingKind::kRecompileLimit;
    finding.causeClass = "limit";
    finding.id = "recompile_limit/" + key;
    finding.advice = adviceOf(run, group);
    finding.place = userPlace(run.text(group.stack));
    if (finding.place.file.empty()) finding.place = framePlace(run, group.frame);
    finding.cost = group.cost;
    finding.evidence = {{"eager calls", static_cast<int64_t>(group.occurrences.size())},
                        {"processes", processCount(group.occurrences)}};
    finding.guards = group.guards.take();
    finding.occurrences = std::move(group.occurrences);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
