#include "analyzer/diagnoses/guard_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kLeastHits = 3;
constexpr int64_t kLeastPercent = 10;

/// The hits of one callable.
struct GuardGroup {
  FrameIndex frame = FrameIndex::kNone;
  int64_t hits = 0;
  Sum guardNs, callNs;
  std::vector<Occurrence> occurrences;

  int64_t percent() const { return percentOf(guardNs, callNs); }
};

std::map<std::string, GuardGroup> groupHits(const Subject& subject) {
  const Run& run = subject.run;
  std::map<std::string, GuardGroup> groups;
  std::vector<GuardGroup*> groupOfFrame;
  for (const FrameSummary& frame : subject.frames) {
    GuardGroup& group = groups[frameKey(run, frame.frame)];
    group.frame = frame.frame;
    // Beside eager calls the whole call is judged, and guards with it (slower_than_eager).
    groupOfFrame.push_back(frame.eager.count > 0 ? nullptr : &group);
  }
  for (const Call& call : run.calls) {
    GuardGroup* const group = groupOfFrame[position(call.frameIndex)];
    if (group == nullptr || call.outcome != trace::CallOutcome::kHit) continue;
    ++group->hits;
    group->guardNs += call.guardNs;
    group->callNs += call.durationNs();
    group->occurrences.push_back(
        {call.process, call.frameIndex, call.thread, call.startNs, call.startNs + call.guardNs});
  }
  return groups;
}

Finding findingOf(const Run& run, const std::string& key, GuardGroup& group) {
  const std::string who = frameName(run, group.frame);
  const int64_t eachNs = group.guardNs / group.hits;
  const bool isPython =
      languageOf(run, group.occurrences.front().process, group.frame) == Language::kPython;
  Finding finding;
  finding.kind = FindingKind::kGuardCost;
  finding.causeClass = "cache_lookup";
  finding.id = "guard_cost/" + key;
  finding.advice.title =
      fmt::format("guards take {} of each call of {}", durationText(eachNs), who);
  finding.advice.cause = fmt::format(
      "before each call of {} the guards of its entries are checked, {} of {} ({} %)", who,
      durationText(eachNs), durationText(group.callNs / group.hits), group.percent());
  finding.advice.fix =
      isPython ? "compile one function around more work, so that guards are checked once; drop "
                 "guards that cannot fail (guard_filter_fn of torch.compile's options, "
                 "torch.compiler.skip_guard_on_inbuilt_nn_modules_unsafe); a CUDA graph around the "
                 "whole step hides the check"
               : "compile a larger function, or give it fewer arguments to guard";
  finding.place = framePlace(run, group.frame);
  finding.cost.timeNs = group.guardNs;
  finding.estimate = Estimate{"a call of " + who, group.callNs / group.hits,
                              std::max<int64_t>(0, group.callNs - group.guardNs) / group.hits,
                              "guards cost nothing"};
  finding.evidence = {{"calls", group.hits},
                      {"ns each", eachNs},
                      {"percent", group.percent()},
                      {"processes", processCount(group.occurrences)}};
  finding.occurrences = std::move(group.occurrences);
  return finding;
}

}  // namespace

std::vector<Finding> findGuardCosts(const Subject& subject) {
  std::vector<Finding> findings;
  for (auto& [key, group] : groupHits(subject)) {
    if (group.hits < kLeastHits || group.percent() < kLeastPercent) continue;
    findings.push_back(findingOf(subject.run, key, group));
  }
  return findings;
}

}  // namespace jitscope::analyzer
