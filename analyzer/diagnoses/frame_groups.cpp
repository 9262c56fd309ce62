#include "analyzer/diagnoses/frame_groups.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "analyzer/diagnoses/guard_cause.h"
#include "analyzer/frame_name.h"

namespace jitscope::analyzer {

std::string frameKey(const Run& run, FrameIndex frame) {
  return frameName(run, frame) + "@" + shortText(framePlace(run, frame));
}

std::map<std::string, FrameGroup> frameGroups(const Subject& subject) {
  std::map<std::string, FrameGroup> groups;
  std::map<std::string, int64_t> mostHits;
  for (const FrameSummary& frame : subject.frames) {
    const std::string key = frameKey(subject.run, frame.frame);
    FrameGroup& group = groups[key];
    group.frames.push_back(frame.frame);
    if (frame.compiled.count <= mostHits[key]) continue;
    mostHits[key] = frame.compiled.count;
    group.hitMedianNs = frame.compiled.medianNs;
  }
  return groups;
}

int64_t processCount(const std::vector<Occurrence>& occurrences) {
  std::set<ProcessIndex> processes;
  for (const Occurrence& each : occurrences) processes.insert(each.process);
  return static_cast<int64_t>(processes.size());
}

void setOccurrences(Finding& finding, std::string what, std::vector<Occurrence> occurrences,
                    std::vector<Evidence> further) {
  finding.evidence = {{std::move(what), static_cast<int64_t>(occurrences.size())}};
  std::move(further.begin(), further.end(), std::back_inserter(finding.evidence));
  finding.evidence.push_back({"processes", processCount(occurrences)});
  finding.occurrences = std::move(occurrences);
}

void MismatchCounter::add(const Run& run, const GuardFailure& failure) {
  const std::string entry = compileId(failure.frame, failure.attempt);
  GuardMismatch& mismatch = byGuard_[entry + " " + std::string(run.text(failure.text))];
  if (mismatch.count++ > 0) return;
  const GuardStory story = guardStory(run, failure);
  mismatch.guard = run.text(failure.text);
  mismatch.source = story.source;
  mismatch.expected = story.expected;
  mismatch.actual = story.actual;
  mismatch.entry = entry;
}

std::vector<GuardMismatch> MismatchCounter::take() {
  std::vector<GuardMismatch> result;
  for (auto& [guard, mismatch] : byGuard_) result.push_back(std::move(mismatch));
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return result;
}

}  // namespace jitscope::analyzer
