#include "gui/widgets/timeline_view.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "gui/models/counterpart.h"
#include "gui/models/number_text.h"
#include "gui/widgets/lane_painter.h"
#include "gui/widgets/mark_painter.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/title_painter.h"

namespace jitscope::gui {
namespace {

constexpr int kTickPx = 90;
constexpr int kLeft = TimelineLayout::kTitlePx;

}  // namespace

TimelineView::TimelineView(Selection* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setObjectName("timeline");
  setAccessibleName("Timelines");
  const auto repaintAll = [this] { repaintLanes(); };
  connect(selection_, &Selection::timelineChanged, this, [this] {
    scroll_ = {};
    updateGeometry();
    repaintLanes();
  });
  connect(selection_, &Selection::stepChanged, this, repaintAll);
  connect(selection_, &Selection::axisChanged, this, repaintAll);
  connect(selection_, &Selection::pickChanged, this, qOverload<>(&QWidget::update));
  connect(selection_, &Selection::rangeChanged, this, qOverload<>(&QWidget::update));
}

QSize TimelineView::sizeHint() const {
  if (!selection_->timeline()) return {900, 420};
  const auto& timeline = *selection_->timeline();
  return {900, layoutTimeline(timeline, request(0)).preferredHeight};
}

LayoutRequest TimelineView::request(int heightPx) const {
  const auto& tracks = selection_->timeline()->tracks;
  LayoutRequest request{heightPx, scroll_, {}, false, isExpanded_, {}};
  const Step step = selection_->stepTimes();
  for (const Pane pane : kPanes) {
    request.isShown[static_cast<size_t>(pane)] = selection_->shows(pane);
    request.step[static_cast<size_t>(pane)] = step.in(pane);
  }
  const size_t track = selection_->track();
  request.showsCapture = track >= tracks.size() || !tracks[track].eagerNote.isEmpty();
  return request;
}

void TimelineView::placeAll() {
  if (!selection_->timeline()) return;
  layout_ = layoutTimeline(*selection_->timeline(), request(height()));
  for (const PanePlace& pane : layout_.panes) {
    scroll_[static_cast<size_t>(pane.pane)] = pane.scroll;
  }
}

void TimelineView::repaintLanes() {
  placeAll();
  lanes_ = {};
  update();
}

void TimelineView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) repaintLanes();
}

void TimelineView::resizeEvent(QResizeEvent*) {
  const TimeAxis& axis = selection_->axis();
  selection_->setAxis(axis.withWidth(width() - kLeft));
  repaintLanes();
}

QRect TimelineView::bodyOf(const PanePlace& pane) const {
  return {kLeft, pane.bodyTop, width() - kLeft, pane.bodyHeight};
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(colours().ground));
  if (!selection_->timeline()) return;
  paintRuler(painter);
  for (const PanePlace& pane : layout_.panes) paintPane(painter, pane);
  paintBand(painter);
  paintPick(painter);
  paintRange(painter);
  paintCursor(painter);
}

void TimelineView::paintRuler(QPainter& painter) const {
  painter.setFont(fixedFont(10));
  painter.setPen(QColor(colours().secondary));
  painter.drawText(QRect(12, 0, kLeft - 20, TimelineLayout::kRulerPx), Qt::AlignVCenter,
                   selection_->timeline()->tracks.empty() ? "since start" : "since step start");
  for (const Tick& tick : ticks(selection_->axis(), kTickPx)) {
    const double x = kLeft + selection_->axis().toPixel(tick.timeNs);
    painter.setPen(QColor(colours().line));
    painter.drawLine(QPointF(x, TimelineLayout::kRulerPx - 7.0),
                     QPointF(x, TimelineLayout::kRulerPx - 1.0));
    painter.setPen(QColor(colours().secondary));
    const double textWidth = painter.fontMetrics().horizontalAdvance(tick.label);
    if (x < kLeft - 1 || x + 5 + textWidth > width()) continue;
    painter.drawText(QPointF(x + 5, TimelineLayout::kRulerPx - 8.0), tick.label);
  }
}

void TimelineView::paintPane(QPainter& painter, const PanePlace& pane) {
  const Timeline& timeline = *selection_->timeline();
  const QRect body = bodyOf(pane);
  const TimeAxis absolute = selection_->axis().shifted(selection_->originNs(pane.pane));
  QImage& picture = lanes_[static_cast<size_t>(pane.pane)];
  const bool isShown = selection_->shows(pane.pane);
  if (picture.isNull() && pane.bodyHeight > 0) {
    const double ratio = devicePixelRatioF();
    const auto devicePx = static_cast<int>(std::lround(body.width() * ratio));
    const int64_t originNs = selection_->originNs(pane.pane);
    picture = paintLanes({timeline, pane, absolute.withWidth(devicePx), originNs, ratio});
  }
  paintPaneHeader(painter, *selection_, pane, width());
  if (!isShown) return;
  painter.drawImage(body.topLeft(), picture);
  paintLaneTitles(painter, timeline, pane, width());
  paintStepEnds(painter, pane);
  for (const LanePlace& lane : pane.lanes) {
    if (lane.hasMarks)
      paintMarks(painter, timeline, absolute, body, body.top() + lane.top - pane.scroll);
  }
}

void TimelineView::paintStepEnds(QPainter& painter, const PanePlace& pane) const {
  const auto time = selection_->stepTimes().in(pane.pane);
  if (!time) return;
  const QRect body = bodyOf(pane);
  painter.save();
  painter.setClipRect(body);
  const double from = kLeft + selection_->axis().toPixel(0);
  const double to = kLeft + selection_->axis().toPixel(time->lengthNs());
  // What is not part of the step stands back.
  QColor shade(colours().ground);
  shade.setAlphaF(0.6F);
  painter.fillRect(QRectF(body.left(), body.top(), from - body.left(), body.height()), shade);
  painter.fillRect(QRectF(to, body.top(), body.right() + 1 - to, body.height()), shade);
  QColor line(colourOf(pane.pane));
  painter.fillRect(QRectF(from, body.top(), std::max(1.0, to - from), 2), line);
  line.setAlphaF(0.5F);
  painter.fillRect(QRectF(from, body.top(), 1, body.height()), line);
  painter.fillRect(QRectF(to, body.top(), 1, body.height()), line);
  painter.restore();
}

std::optional<QRect> TimelineView::rectOf(const Pick& pick) const {
  const PanePlace& pane = layout_.panes[static_cast<size_t>(pick.pane)];
  const auto time = selection_->pickTime();
  if (!time) return std::nullopt;
  const double from = std::clamp(selection_->axis().toPixel(time->startNs), -4.0, width() + 4.0);
  const double to = std::clamp(selection_->axis().toPixel(time->endNs), from + 3, width() + 8.0);
  const auto left = kLeft + static_cast<int>(from);
  const auto right = kLeft + static_cast<int>(to);
  for (const RowPlace& row : pane.rows) {
    if (pick.kind != Pick::Kind::kEvent || row.lane != pick.lane || row.row != pick.row) continue;
    return QRect(left, pane.bodyTop + row.top - pane.scroll, right - left, row.height);
  }
  for (const LanePlace& lane : pane.lanes) {
    if (pick.kind != Pick::Kind::kMark || !lane.hasMarks) continue;
    return QRect(left - 7, pane.bodyTop + lane.top - pane.scroll + 1, 15, 15);
  }
  return std::nullopt;
}

void TimelineView::paintPick(QPainter& painter) const {
  if (!selection_->pick()) return;
  const auto rect = rectOf(*selection_->pick());
  if (!rect) return;
  painter.save();
  painter.setClipRect(bodyOf(layout_.panes[static_cast<size_t>(selection_->pick()->pane)]));
  painter.setPen(QPen(QColor(colours().text), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.drawRoundedRect(QRectF(*rect).adjusted(-0.5, -0.5, -0.5, 0.5), 2, 2);
  painter.restore();
}

std::optional<QRect> TimelineView::counterpartRect(const Pick& pick) const {
  const auto other = counterpart(*selection_->timeline(), selection_->stepTimes(), pick);
  if (!other) return std::nullopt;
  const Pane pane = otherThan(pick.pane);
  const PanePlace& place = layout_.panes[static_cast<size_t>(pane)];
  const auto& rows = selection_->timeline()->lanes[pick.lane].rows;
  const RowKind kind = rows[pick.row].kind();
  for (const RowPlace& row : place.rows) {
    // A region stands for the outermost operators, everything else for its like.
    const bool isWanted =
        kind == RowKind::kRegion ? rows[row.row].kind() == RowKind::kOperator : row.row == pick.row;
    if (row.lane != pick.lane || !isWanted) continue;
    const int64_t originNs = selection_->originNs(pane);
    const double limit = width();
    const double from =
        std::clamp(selection_->axis().toPixel(other->startNs - originNs), -8.0, limit);
    const double to =
        std::clamp(selection_->axis().toPixel(other->endNs - originNs), from + 2, limit + 8);
    return QRect(kLeft + static_cast<int>(from), place.bodyTop + row.top - place.scroll,
                 static_cast<int>(to - from), row.height);
  }
  return std::nullopt;
}

void TimelineView::paintBand(QPainter& painter) const {
  const auto& pick = selection_->pick();
  if (!pick || pick->kind != Pick::Kind::kEvent) return;
  const auto here = rectOf(*pick);
  const auto there = counterpartRect(*pick);
  if (!here || !there) return;
  const QRect& upper = pick->pane == Pane::kEager ? *here : *there;
  const QRect& lower = pick->pane == Pane::kEager ? *there : *here;
  painter.save();
  painter.setClipRect(QRect(kLeft, layout_.panes[0].bodyTop, width() - kLeft, height()));
  painter.setRenderHint(QPainter::Antialiasing);
  QColor colour(colourOf(pick->pane));
  colour.setAlphaF(0.16F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const double top = upper.bottom() + 1.0, bottom = lower.top();
  const QPointF corners[] = {{double(upper.left()), top},
                             {upper.right() + 1.0, top},
                             {lower.right() + 1.0, bottom},
                             {double(lower.left()), bottom}};
  painter.drawPolygon(corners, 4);
  colour.setAlphaF(0.9F);
  painter.setPen(QPen(colour.lighter(130), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(*there).adjusted(-0.5, -0.5, -0.5, 0.5), 2, 2);
  painter.restore();
}

void TimelineView::paintRange(QPainter& painter) const {
  if (!selection_->range()) return;
  const TimeRange range = *selection_->range();
  const double from = kLeft + std::max(0.0, selection_->axis().toPixel(range.startNs));
  const double to = std::min<double>(width(), kLeft + selection_->axis().toPixel(range.endNs));
  if (to < kLeft || from > width()) return;
  const int bottom = layout_.panes[1].bodyTop + layout_.panes[1].bodyHeight;
  painter.fillRect(QRectF(from, 0, to - from, bottom), translucent(colours().text, 0.06F));
  painter.fillRect(QRectF(from, TimelineLayout::kRulerPx - 3, to - from, 3),
                   QColor(colours().text));
  for (const double x : {from, to}) {
    painter.fillRect(QRectF(x, 0, 1, bottom), translucent(colours().text, 0.43F));
  }
}

void TimelineView::paintCursor(QPainter& painter) const {
  if (!cursor_ || cursor_->x() < kLeft || drag_) return;
  const int bottom = layout_.panes[1].bodyTop + layout_.panes[1].bodyHeight;
  painter.fillRect(
      QRect(cursor_->x(), TimelineLayout::kRulerPx, 1, bottom - TimelineLayout::kRulerPx),
      translucent(colours().text, 0.27F));
}

}  // namespace jitscope::gui
