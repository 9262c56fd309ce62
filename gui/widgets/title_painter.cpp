#include "gui/widgets/title_painter.h"

#include <algorithm>
#include <utility>

#include "gui/models/number_text.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kLeft = TimelineLayout::kTitlePx;
constexpr int kNamePx = 68;       ///< of a lane's title
constexpr int kCaptionLeft = 84;  ///< beside it stand the captions of its rows

QString paneName(Pane pane) { return pane == Pane::kEager ? "EAGER" : "COMPILED"; }

/// What stands at the left of the first row of a kind.
QString captionOf(RowKind kind) {
  switch (kind) {
    case RowKind::kCall:
      return "calls";
    case RowKind::kRegion:
      return "regions";
    case RowKind::kOperator:
      return "operators";
    case RowKind::kKernel:
      return "kernels";
    case RowKind::kCopy:
      return "copies";
    case RowKind::kApi:
      return "API";
    case RowKind::kCompile:
      return {};
  }
  return {};
}

/// How many outermost operators and kernels ran in `time`.
QString workText(const Timeline& timeline, TimeRange time) {
  int64_t operators = 0, kernels = 0;
  for (const Lane& lane : timeline.lanes) {
    bool hadOperators = false;
    for (const EventRow& row : lane.rows) {
      if (row.kind() == RowKind::kKernel) kernels += row.sum(time).count;
      if (row.kind() != RowKind::kOperator || std::exchange(hadOperators, true)) continue;
      operators += row.sum(time).count;
    }
  }
  QString text = countedText(operators, "operator");
  if (kernels > 0) text += " · " + countedText(kernels, "kernel");
  return text;
}

void paintCaptions(QPainter& painter, const Timeline& timeline, const PanePlace& pane) {
  painter.setFont(interfaceFont(10));
  painter.setPen(QColor(colours().secondary));
  const RowPlace* above = nullptr;
  for (const RowPlace& row : pane.rows) {
    const auto& rows = timeline.lanes[row.lane].rows;
    const RowKind kind = rows[row.row].kind();
    const bool isSame =
        above != nullptr && above->lane == row.lane && rows[above->row].kind() == kind;
    above = &row;
    if (isSame || row.height < 12 || !pane.isInView(row.top, row.height)) continue;
    const QRect line(kCaptionLeft, pane.bodyTop + row.top - pane.scroll, kLeft - 10 - kCaptionLeft,
                     row.height);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, captionOf(kind));
  }
}

}  // namespace

void paintPaneHeader(QPainter& painter, const Selection& selection, const PanePlace& pane,
                     int widthPx) {
  const Timeline& timeline = *selection.timeline();
  const QRect header(0, pane.headerTop, widthPx, TimelineLayout::kHeaderPx - 2);
  painter.fillRect(header, QColor(colours().surface));
  painter.fillRect(QRect(0, header.top(), 3, header.height()), QColor(colourOf(pane.pane)));
  painter.setFont(interfaceFont(12, QFont::Bold));
  painter.setPen(QColor(colours().text));
  painter.drawText(header.adjusted(12, 0, 0, 0), Qt::AlignVCenter, paneName(pane.pane));
  if (selection.track() >= timeline.tracks.size()) {
    painter.setFont(interfaceFont(12));
    painter.drawText(header.adjusted(kLeft, 0, -12, 0), Qt::AlignVCenter,
                     pane.pane == Pane::kEager ? "the whole recording, without steps to align"
                                               : "no calls of compiled callables recorded");
    return;
  }
  const StepTrack& track = timeline.tracks[selection.track()];
  const auto time = selection.stepTimes().in(pane.pane);
  const size_t count = pane.pane == Pane::kEager ? track.eagerCount : track.compiledCount;
  const QString& note = pane.pane == Pane::kEager ? track.eagerNote : track.compiledNote;
  QString text;
  if (time) {
    const size_t shown = count == 0 ? 0 : std::min(selection.step(), count - 1);
    text = note.isEmpty() ? QString("step %1 of %2 · ")
                                .arg(countText(static_cast<int64_t>(shown) + 1),
                                     countText(static_cast<int64_t>(count)))
                          : QString();
    text +=
        durationText(time->lengthNs()) + " · " + workText(timeline, *time) + " · " + track.frame;
  }
  painter.setFont(interfaceFont(12));
  painter.setPen(QColor(colours().secondary));
  const QRect rest = header.adjusted(kLeft, 0, -12, 0);
  painter.drawText(rest, Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text, Qt::ElideRight, rest.width()));
  if (note.isEmpty()) return;
  painter.setPen(QColor(colours().text));
  const int used = text.isEmpty() ? 0 : painter.fontMetrics().horizontalAdvance(text) + 16;
  const QRect beside = rest.adjusted(used, 0, 0, 0);
  painter.drawText(beside, Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(note, Qt::ElideRight, beside.width()));
}

void paintLaneTitles(QPainter& painter, const Timeline& timeline, const PanePlace& pane,
                     int widthPx) {
  painter.save();
  painter.setClipRect(QRect(0, pane.bodyTop, kLeft - 4, pane.bodyHeight));
  for (const LanePlace& place : pane.lanes) {
    const Lane& lane = timeline.lanes[place.lane];
    const int top = pane.bodyTop + place.top - pane.scroll;
    if (!pane.isInView(place.top, place.height)) continue;
    painter.setFont(interfaceFont(12));
    painter.setPen(QColor(colours().text));
    const QFontMetrics metrics = painter.fontMetrics();
    painter.drawText(12, top + 13, metrics.elidedText(lane.title, Qt::ElideRight, kNamePx));
    if (place.height < 30) continue;
    painter.setFont(fixedFont(10));
    painter.setPen(QColor(colours().secondary));
    const QFontMetrics small = painter.fontMetrics();
    painter.drawText(12, top + 27, small.elidedText(lane.subtitle, Qt::ElideRight, kNamePx));
  }
  paintCaptions(painter, timeline, pane);
  painter.restore();
  if (pane.scrollLimit() == 0) return;
  // A sliver at the right edge tells how much of the lanes is in view.
  const double share = static_cast<double>(pane.bodyHeight) / pane.contentHeight;
  const double height = std::max(6.0, pane.bodyHeight * share);
  const double room = pane.bodyHeight - height;
  const double top = pane.bodyTop + room * pane.scroll / pane.scrollLimit();
  painter.fillRect(QRectF(widthPx - 4, top, 3, height), QColor(colours().faint));
}

}  // namespace jitscope::gui
