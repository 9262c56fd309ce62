// The timelines' mouse and wheel; their keys are in timeline_keys.cpp.
#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

#include "gui/widgets/mark_painter.h"
#include "gui/widgets/timeline_view.h"

namespace jitscope::gui {
namespace {

constexpr int kTimesLeft = TimelineLayout::kTitlePx;
constexpr double kHitPx = 3;  ///< a click this near to an event still means it
constexpr double kZoomPerNotch = 0.75;

}  // namespace

std::optional<int64_t> TimelineView::cursorNs() const {
  if (!cursor_ || cursor_->x() < kTimesLeft) return std::nullopt;
  return selection_->axis().toTime(cursor_->x() - kTimesLeft);
}

std::optional<Pick> TimelineView::pickAt(QPoint point) const {
  const auto pane = layout_.paneAt(point.y());
  if (!selection_->timeline() || !pane || point.x() < kTimesLeft) return std::nullopt;
  const Timeline& timeline = *selection_->timeline();
  const PanePlace& place = layout_.panes[static_cast<size_t>(*pane)];
  const TimeAxis absolute = selection_->axis().shifted(selection_->originNs(*pane));
  const double pixel = point.x() - kTimesLeft;
  const int inContent = point.y() - place.bodyTop + place.scroll;
  for (const LanePlace& lane : place.lanes) {
    const bool isOnMarks = inContent >= lane.top && inContent < lane.top + TimelineLayout::kMarkPx;
    if (!lane.hasMarks || !isOnMarks || point.y() < place.bodyTop) continue;
    const auto mark = markAt(timeline, absolute, pixel, 8);
    if (mark) return Pick{Pick::Kind::kMark, *pane, lane.lane, 0, *mark};
  }
  const RowPlace* row = layout_.rowAt(*pane, point.y());
  if (row == nullptr) return std::nullopt;
  const auto toleranceNs = static_cast<int64_t>(kHitPx / absolute.pixelsPerNs());
  const auto event =
      timeline.lanes[row->lane].rows[row->row].eventAt(absolute.toTime(pixel), toleranceNs);
  if (!event) return std::nullopt;
  return Pick{Pick::Kind::kEvent, *pane, row->lane, row->row, *event};
}

void TimelineView::zoomAt(double factor) {
  const bool isOver = cursor_ && cursor_->x() >= kTimesLeft;
  const double pixel = isOver ? cursor_->x() - kTimesLeft : selection_->axis().widthPx() / 2.0;
  selection_->setAxis(selection_->axis().zoomed(factor, pixel));
}

void TimelineView::scrollBy(Pane pane, int pixels) {
  scroll_[static_cast<size_t>(pane)] += pixels;
  repaintLanes();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  cursor_ = event->position().toPoint();
  const QPoint turn = event->angleDelta();
  if (event->modifiers() & Qt::ShiftModifier) {
    const auto pane = layout_.paneAt(cursor_->y());
    scrollBy(pane.value_or(selection_->leadingPane()), -(turn.y() != 0 ? turn.y() : turn.x()) / 2);
  } else if (turn.x() != 0 && std::abs(turn.x()) > std::abs(turn.y())) {
    selection_->setAxis(selection_->axis().panned(-turn.x() / 2.0));
  } else {
    zoomAt(std::pow(kZoomPerNotch, turn.y() / 120.0));
  }
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  const QPoint point = event->position().toPoint();
  const bool isRange =
      (event->modifiers() & Qt::ShiftModifier) || point.y() < TimelineLayout::kRulerPx;
  drag_ = Drag{isRange ? Drag::Kind::kRange : Drag::Kind::kPan, point, selection_->axis(), false};
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  const QPoint point = event->position().toPoint();
  cursor_ = point;
  Q_EMIT cursorMoved();
  update();
  if (!drag_) return;
  const bool isFar = (point - drag_->from).manhattanLength() >= QApplication::startDragDistance();
  drag_->hasMoved = drag_->hasMoved || isFar;
  if (!drag_->hasMoved) return;
  if (drag_->kind == Drag::Kind::kPan) {
    selection_->setAxis(drag_->axis.panned(drag_->from.x() - point.x()));
    return;
  }
  const int64_t a = drag_->axis.toTime(drag_->from.x() - kTimesLeft);
  const int64_t b = drag_->axis.toTime(point.x() - kTimesLeft);
  selection_->setRange(TimeRange{std::min(a, b), std::max(a, b)});
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (!drag_) return;
  const Drag drag = *std::exchange(drag_, std::nullopt);
  update();
  if (drag.hasMoved || event->button() != Qt::LeftButton) return;
  if (drag.kind == Drag::Kind::kRange) return selection_->setRange(std::nullopt);
  selection_->setPick(pickAt(event->position().toPoint()));
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  selection_->setPick(pickAt(event->position().toPoint()));
  if (const auto time = selection_->pickTime()) selection_->fit(*time);
}

void TimelineView::leaveEvent(QEvent*) {
  cursor_.reset();
  Q_EMIT cursorMoved();
  update();
}

void TimelineView::focusInEvent(QFocusEvent*) { update(); }
void TimelineView::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace jitscope::gui
