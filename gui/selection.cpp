#include "gui/selection.h"

#include <algorithm>

namespace jitscope::gui {

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::setTimeline(std::shared_ptr<const Timeline> timeline) {
  timeline_ = std::move(timeline);
  track_ = 0;
  step_ = timeline_ && !timeline_->tracks.empty() ? timeline_->tracks.front().typical : 0;
  pick_.reset();
  range_.reset();
  Q_EMIT timelineChanged();
  Q_EMIT stepChanged();
  Q_EMIT pickChanged();
  Q_EMIT rangeChanged();
  fitStep();
}

void Selection::setStep(size_t track, size_t step) {
  if (!timeline_ || timeline_->tracks.empty()) return;
  track = std::min(track, timeline_->tracks.size() - 1);
  const size_t count = timeline_->tracks[track].steps.size();
  step = std::min(step, count == 0 ? 0 : count - 1);
  if (track == track_ && step == step_) return;
  track_ = track;
  step_ = step;
  Q_EMIT stepChanged();
}

Step Selection::stepTimes() const {
  if (!timeline_ || track_ >= timeline_->tracks.size()) return {};
  const StepTrack& track = timeline_->tracks[track_];
  return step_ < track.steps.size() ? track.steps[step_] : Step{};
}

int64_t Selection::originNs(Pane pane) const {
  const Step step = stepTimes();
  if (step.in(pane)) return step.in(pane)->startNs;
  return timeline_ ? timeline_->extent.startNs : 0;
}

bool Selection::shows(Pane pane) const {
  if (!timeline_) return false;
  return timeline_->tracks.empty() ? pane == Pane::kEager : stepTimes().in(pane).has_value();
}

void Selection::setAxis(const TimeAxis& axis) {
  const TimeAxis clamped = axis.clampedTo(limits());
  if (clamped == axis_) return;
  axis_ = clamped;
  Q_EMIT axisChanged();
}

TimeRange Selection::limits() const {
  if (!timeline_) return {0, 1'000'000};
  // Both panes end where the recording ends, counted from their own origins.
  const int64_t first = std::min(timeline_->extent.startNs - originNs(Pane::kEager),
                                 timeline_->extent.startNs - originNs(Pane::kCompiled));
  const int64_t last = std::max(timeline_->extent.endNs - originNs(Pane::kEager),
                                timeline_->extent.endNs - originNs(Pane::kCompiled));
  // Halved before the difference: a damaged recording may span more than 64 bits can hold.
  const int64_t marginNs = std::max<int64_t>(1000, (last / 2 - first / 2) / 10);
  constexpr int64_t kFarthestNs = TimeAxis::kFarthestNs;
  return {std::max(first, marginNs - kFarthestNs) - marginNs,
          std::min(last, kFarthestNs - marginNs) + marginNs};
}

void Selection::fitStep() {
  const Step step = stepTimes();
  int64_t lengthNs = 0;
  for (const Pane pane : kPanes) {
    if (step.in(pane)) lengthNs = std::max(lengthNs, step.in(pane)->lengthNs());
  }
  if (lengthNs == 0) return fitRecording();
  fit({0, lengthNs});
}

void Selection::fitRecording() { setAxis(TimeAxis(limits(), axis_.widthPx())); }

void Selection::fit(TimeRange time) {
  const int64_t marginNs = std::max<int64_t>(50, time.lengthNs() / 40);
  setAxis(TimeAxis({time.startNs - marginNs, time.endNs + marginNs}, axis_.widthPx()));
}

void Selection::setPick(std::optional<Pick> pick) {
  if (pick == pick_) return;
  pick_ = pick;
  Q_EMIT pickChanged();
}

std::optional<TimeRange> Selection::pickTime() const {
  if (!pick_ || !timeline_) return std::nullopt;
  const TimeRange time = timeOf(*timeline_, *pick_);
  const int64_t originTimeNs = originNs(pick_->pane);
  return TimeRange{time.startNs - originTimeNs, time.endNs - originTimeNs};
}

void Selection::setRange(std::optional<TimeRange> range) {
  if (range && range->lengthNs() <= 0) range.reset();
  if (range == range_) return;
  range_ = range;
  Q_EMIT rangeChanged();
}

TimeRange Selection::countedRange(Pane pane) const {
  const TimeRange shown = range_ ? *range_ : TimeRange{axis_.startNs(), axis_.endNs()};
  const int64_t originTimeNs = originNs(pane);
  const TimeRange all{shown.startNs + originTimeNs, shown.endNs + originTimeNs};
  const auto step = stepTimes().in(pane);
  if (range_ || !step) return all;
  // What stands before and after the step has no counterpart in the other pane.
  const TimeRange part{std::max(all.startNs, step->startNs), std::min(all.endNs, step->endNs)};
  return part.lengthNs() > 0 ? part : all;
}

void Selection::reveal(Pane pane, int64_t timeNs) {
  if (!timeline_) return;
  if (track_ < timeline_->tracks.size()) {
    setStep(track_, stepAt(timeline_->tracks[track_], pane, timeNs));
    fitStep();
  }
  const int64_t sinceStepNs = timeNs - originNs(pane);
  if (sinceStepNs < axis_.startNs() || sinceStepNs > axis_.endNs()) {
    setAxis(axis_.panned(axis_.toPixel(sinceStepNs) - axis_.widthPx() / 2.0));
  }
}

void Selection::show(TimeRange time) {
  if (!timeline_) return;
  Pane pane = leadingPane();
  if (track_ < timeline_->tracks.size()) {
    const StepTrack& track = timeline_->tracks[track_];
    const int64_t middleNs = time.startNs + time.lengthNs() / 2;
    for (const Pane each : kPanes) {
      const size_t at = stepAt(track, each, middleNs);
      const auto step = at < track.steps.size() ? track.steps[at].in(each) : std::nullopt;
      if (step && step->contains(middleNs)) pane = each;
    }
    setStep(track_, stepAt(track, pane, middleNs));
  }
  const int64_t originTimeNs = originNs(pane);
  setAxis(TimeAxis({time.startNs - originTimeNs, time.endNs - originTimeNs}, axis_.widthPx()));
}

void Selection::goTo(Pane pane, int64_t timeNs) {
  reveal(pane, timeNs);
  Q_EMIT timelinesWanted();
}

}  // namespace jitscope::gui
