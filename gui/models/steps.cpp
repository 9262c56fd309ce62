#include "gui/models/steps.h"

#include <algorithm>
#include <limits>

namespace jitscope::gui {
namespace {

/// The compiled call of median length among those with the most breaks that compiled nothing.
size_t typicalOf(const std::vector<StepCall>& compiled) {
  std::vector<size_t> candidates;
  int32_t mostBreaks = 0;
  for (size_t i = 0; i < compiled.size(); ++i) {
    if (compiled[i].compiled || compiled[i].breakCount < mostBreaks) continue;
    if (compiled[i].breakCount > mostBreaks) candidates.clear();
    mostBreaks = compiled[i].breakCount;
    candidates.push_back(i);
  }
  if (candidates.empty()) return 0;
  const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(candidates.size() / 2);
  std::nth_element(candidates.begin(), middle, candidates.end(), [&](size_t a, size_t b) {
    const int64_t lengthA = compiled[a].time.lengthNs(), lengthB = compiled[b].time.lengthNs();
    return lengthA != lengthB ? lengthA < lengthB : a < b;
  });
  return *middle;
}

}  // namespace

StepTrack alignSteps(const QString& frame, const std::vector<StepCall>& calls) {
  StepTrack track;
  track.frame = frame;
  std::vector<StepCall> eager, compiled;
  for (const StepCall& call : calls) (call.ranEagerly ? eager : compiled).push_back(call);
  track.eagerCount = eager.size();
  track.compiledCount = compiled.size();
  if (eager.empty() && !compiled.empty()) {
    eager.push_back(compiled.front());
    track.eagerNote = "no eager calls: this is the first call";
    if (compiled.front().compiled) track.eagerNote += ", captured as it ran";
  }
  if (compiled.empty()) track.compiledNote = "no compiled calls recorded";
  const size_t count = std::max(eager.size(), compiled.size());
  for (size_t n = 0; n < count; ++n) {
    Step step;
    if (!eager.empty()) step.eager = eager[std::min(n, eager.size() - 1)].time;
    if (!compiled.empty()) step.compiled = compiled[std::min(n, compiled.size() - 1)].time;
    track.steps.push_back(step);
  }
  track.typical = typicalOf(compiled);
  return track;
}

size_t stepAt(const StepTrack& track, Pane pane, int64_t timeNs) {
  size_t best = 0;
  int64_t bestNs = std::numeric_limits<int64_t>::max();
  for (size_t n = 0; n < track.steps.size(); ++n) {
    const auto& time = track.steps[n].in(pane);
    if (!time) continue;
    const int64_t distanceNs = std::max({time->startNs - timeNs, timeNs - time->endNs, int64_t{0}});
    if (distanceNs < bestNs) best = n, bestNs = distanceNs;
  }
  return best;
}

}  // namespace jitscope::gui
