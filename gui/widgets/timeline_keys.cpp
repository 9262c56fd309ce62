#include "gui/widgets/timeline_keys.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>

#include "gui/models/detail.h"
#include "gui/widgets/timeline_view.h"

namespace jitscope::gui {
namespace {

constexpr double kZoomPerPress = 0.75;
constexpr double kPanShare = 0.125;  ///< of the width, for one press
constexpr int kScrollPx = 24;

}  // namespace

const std::vector<std::pair<QString, QString>>& timelineKeys() {
  static const std::vector<std::pair<QString, QString>> kKeys{
      {"W S · + − · wheel", "zoom in and out, at the cursor"},
      {"A D · ← → · drag", "pan"},
      {"↑ ↓ · Shift+wheel", "scroll the lanes"},
      {"F · Home", "show the whole step"},
      {"End", "show the whole recording"},
      {"PgUp PgDn", "previous and next step"},
      {"Ctrl+PgUp PgDn", "previous and next frame"},
      {"Ctrl+← → · click", "select the previous or next event"},
      {"Ctrl+↑ ↓", "select in the row above or below"},
      {"E", "go to the other pane"},
      {"X", "show all levels of nested operators, or few"},
      {"N · Shift+N", "next and previous break or recompile"},
      {"Enter · double click", "zoom to what is selected"},
      {"R · Shift+drag", "select a range of time (R: of the event, or the view)"},
      {"Ctrl+C", "copy the details"},
      {"Esc", "clear range, then selection"},
      {"Ctrl+1 Ctrl+2 …", "show another page"},
      {"Tab", "go on to findings, table and details"},
      {"?", "show or hide these keys"},
  };
  return kKeys;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (!selection_->timeline()) return QWidget::keyPressEvent(event);
  // Zooming keys come last: with Ctrl the same arrows select.
  if (handlePickKey(*event) || handleStepKey(*event) || handleZoomKey(*event)) return;
  QWidget::keyPressEvent(event);
}

bool TimelineView::handleZoomKey(const QKeyEvent& event) {
  if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
  const double panPx = selection_->axis().widthPx() * kPanShare;
  const auto under = cursor_ ? layout_.paneAt(cursor_->y()) : std::nullopt;
  const Pane pane = under.value_or(selection_->leadingPane());
  switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomAt(kZoomPerPress);
      return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
      zoomAt(1 / kZoomPerPress);
      return true;
    case Qt::Key_A:
    case Qt::Key_Left:
      selection_->setAxis(selection_->axis().panned(-panPx));
      return true;
    case Qt::Key_D:
    case Qt::Key_Right:
      selection_->setAxis(selection_->axis().panned(panPx));
      return true;
    case Qt::Key_Up:
      scrollBy(pane, -kScrollPx);
      return true;
    case Qt::Key_Down:
      scrollBy(pane, kScrollPx);
      return true;
    case Qt::Key_F:
    case Qt::Key_Home:
      selection_->fitStep();
      return true;
    case Qt::Key_End:
      selection_->fitRecording();
      return true;
    case Qt::Key_X:
      isExpanded_ = !isExpanded_;
      repaintLanes();
      return true;
    default:
      return false;
  }
}

bool TimelineView::handlePickKey(const QKeyEvent& event) {
  const bool hasControl = event.modifiers() & Qt::ControlModifier;
  if (event.matches(QKeySequence::Copy)) {
    const auto& timeline = *selection_->timeline();
    if (selection_->pick() && timeline.describe) {
      QApplication::clipboard()->setText(detailText(timeline.describe(*selection_->pick())));
    }
    return true;
  }
  if (hasControl && event.key() == Qt::Key_Left) return stepPick(-1), true;
  if (hasControl && event.key() == Qt::Key_Right) return stepPick(1), true;
  if (hasControl && event.key() == Qt::Key_Up) return changeRow(-1), true;
  if (hasControl && event.key() == Qt::Key_Down) return changeRow(1), true;
  if (hasControl) return false;
  switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto time = selection_->pickTime()) selection_->fit(*time);
      return true;
    case Qt::Key_R: {
      const TimeRange view{selection_->axis().startNs(), selection_->axis().endNs()};
      selection_->setRange(selection_->pickTime().value_or(view));
      return true;
    }
    case Qt::Key_Escape:
      if (selection_->range())
        selection_->setRange(std::nullopt);
      else
        selection_->setPick(std::nullopt);
      return true;
    default:
      return false;
  }
}

bool TimelineView::handleStepKey(const QKeyEvent& event) {
  const int track = event.modifiers() & Qt::ControlModifier ? 1 : 0;
  switch (event.key()) {
    case Qt::Key_PageUp:
      changeStep(-track, track - 1);
      return true;
    case Qt::Key_PageDown:
      changeStep(track, 1 - track);
      return true;
    case Qt::Key_N:
      changeMark(event.modifiers() & Qt::ShiftModifier ? -1 : 1);
      return true;
    case Qt::Key_E:
      if (auto pick = selection_->pick(); pick && pick->kind == Pick::Kind::kEvent) {
        pick->pane = otherThan(pick->pane);
        const TimeAxis absolute = selection_->axis().shifted(selection_->originNs(pick->pane));
        const EventRow& row = selection_->timeline()->lanes[pick->lane].rows[pick->row];
        const auto middle = absolute.toTime(absolute.widthPx() / 2.0);
        const auto index = row.eventAt(middle, static_cast<int64_t>(absolute.spanNs()));
        if (index) pick->index = *index, selection_->setPick(pick);
      }
      return true;
    default:
      return false;
  }
}

void TimelineView::changeStep(int trackBy, int stepBy) {
  const Timeline& timeline = *selection_->timeline();
  const auto moved = [](size_t from, int by) { return by < 0 && from == 0 ? from : from + by; };
  const size_t track = moved(selection_->track(), trackBy);
  if (track >= timeline.tracks.size()) return;
  const size_t step =
      trackBy != 0 ? timeline.tracks[track].typical : moved(selection_->step(), stepBy);
  selection_->setStep(track, step);
  selection_->fitStep();
}

void TimelineView::stepPick(int direction) {
  auto pick = selection_->pick();
  if (!pick || pick->kind != Pick::Kind::kEvent) return changeRow(0);
  const size_t count = selection_->timeline()->lanes[pick->lane].rows[pick->row].events().size();
  if (direction < 0 ? pick->index == 0 : pick->index + 1 >= count) return;
  pick->index += static_cast<size_t>(direction);
  selection_->setPick(pick);
  const auto time = selection_->pickTime();
  const TimeAxis& axis = selection_->axis();
  if (time->endNs > axis.startNs() && time->startNs < axis.endNs()) return;
  selection_->setAxis(axis.panned(axis.toPixel(time->startNs) - axis.widthPx() / 2.0));
}

void TimelineView::changeRow(int direction) {
  const auto& pick = selection_->pick();
  const Pane pane = pick ? pick->pane : selection_->leadingPane();
  const PanePlace& place = layout_.panes[static_cast<size_t>(pane)];
  const TimeAxis absolute = selection_->axis().shifted(selection_->originNs(pane));
  const bool hasEvent = pick && pick->kind == Pick::Kind::kEvent;
  const int64_t wantedNs = hasEvent ? timeOf(*selection_->timeline(), *pick).startNs
                                    : absolute.toTime(absolute.widthPx() / 2.0);
  int at = hasEvent ? -1 : (direction < 0 ? static_cast<int>(place.rows.size()) : -1);
  for (size_t i = 0; hasEvent && i < place.rows.size(); ++i) {
    if (place.rows[i].lane == pick->lane && place.rows[i].row == pick->row)
      at = static_cast<int>(i);
  }
  // The next row in that direction that has something in view.
  const int step = direction < 0 ? -1 : 1;
  for (at += step; at >= 0 && at < static_cast<int>(place.rows.size()); at += step) {
    const RowPlace& row = place.rows[static_cast<size_t>(at)];
    const EventRow& events = selection_->timeline()->lanes[row.lane].rows[row.row];
    const auto index = events.eventAt(wantedNs, static_cast<int64_t>(absolute.spanNs()));
    if (!index) continue;
    return selection_->setPick(Pick{Pick::Kind::kEvent, pane, row.lane, row.row, *index});
  }
}

void TimelineView::changeMark(int direction) {
  const Timeline& timeline = *selection_->timeline();
  if (timeline.marks.empty()) return;
  const Pane pane = selection_->leadingPane();
  const auto& pick = selection_->pick();
  size_t index = 0;
  if (pick && pick->kind == Pick::Kind::kMark) {
    const size_t count = timeline.marks.size();
    index = (pick->index + count + static_cast<size_t>(direction)) % count;
  } else {
    const int64_t nowNs = selection_->axis().startNs() + selection_->originNs(pane);
    while (index + 1 < timeline.marks.size() && timeline.marks[index].time.startNs < nowNs) ++index;
  }
  selection_->reveal(pane, timeline.marks[index].time.startNs);
  size_t lane = 0;
  while (lane + 1 < timeline.lanes.size() && timeline.lanes[lane].kind != LaneKind::kCompile)
    ++lane;
  selection_->setPick(Pick{Pick::Kind::kMark, pane, lane, 0, index});
}

}  // namespace jitscope::gui
