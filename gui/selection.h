#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "gui/models/finding_list.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

/// What the whole window looks at: recording, step, window of time, picked thing, selected range.
/// The one shared state: views read it, change it and follow its signals, and so never call each
/// other. Times of the axis and of the range count from the start of the step. GUI thread only.
class Selection final : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr);

  /// Shows another recording, from its typical step.
  void setTimeline(std::shared_ptr<const Timeline> timeline);
  /// Null before anything is loaded.
  const std::shared_ptr<const Timeline>& timeline() const { return timeline_; }

  /// The frame and the step that both panes show; out-of-range numbers are brought into range.
  void setStep(size_t track, size_t step);
  size_t track() const { return track_; }
  size_t step() const { return step_; }
  /// The step's calls; empty when the recording has no calls.
  Step stepTimes() const;
  /// The moment of the recording that stands at 0 of the axis in `pane`.
  int64_t originNs(Pane pane) const;

  /// Whether `pane` has anything to show; without any calls the eager pane shows the recording.
  bool shows(Pane pane) const;

  /// The pane that is meant where nothing says which: the compiled one if it shows anything.
  Pane leadingPane() const { return shows(Pane::kCompiled) ? Pane::kCompiled : Pane::kEager; }

  void setAxis(const TimeAxis& axis);
  const TimeAxis& axis() const { return axis_; }
  /// Shows the whole step.
  void fitStep();
  /// Shows all of the recording.
  void fitRecording();
  /// Shows `time` (since the step's start) with a margin.
  void fit(TimeRange time);

  void setPick(std::optional<Pick> pick);
  const std::optional<Pick>& pick() const { return pick_; }
  /// The time of the pick since its pane's origin.
  std::optional<TimeRange> pickTime() const;

  void setRange(std::optional<TimeRange> range);
  const std::optional<TimeRange>& range() const { return range_; }
  /// What numbers are about, since the epoch: the selected range, or else the part of the step that
  /// is in view, or else what is in view.
  TimeRange countedRange(Pane pane) const;

  /// Shows the step around a moment of the recording, and the moment itself in the middle.
  void reveal(Pane pane, int64_t timeNs);
  /// Shows a stretch of the recording, no more: in the pane whose step its middle is in, if there
  /// is one.
  void show(TimeRange time);
  /// As `reveal`, from another page: asks for the timelines too.
  void goTo(Pane pane, int64_t timeNs);
  /// Asks for a finding (its row in the list of findings): its place and its details.
  void chooseFinding(size_t row) { Q_EMIT findingChosen(row); }

 signals:
  void timelineChanged();
  void stepChanged();
  void axisChanged();
  void pickChanged();
  void rangeChanged();
  /// The timelines are to be brought up.
  void timelinesWanted();
  void findingChosen(size_t row);

 private:
  TimeRange limits() const;

  std::shared_ptr<const Timeline> timeline_;
  size_t track_ = 0;
  size_t step_ = 0;
  TimeAxis axis_;
  std::optional<Pick> pick_;
  std::optional<TimeRange> range_;
};

}  // namespace jitscope::gui
