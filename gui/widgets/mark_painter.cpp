#include "gui/widgets/mark_painter.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/models/number_text.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/timeline_layout.h"

namespace jitscope::gui {
namespace {

constexpr double kMergePx = 7;      ///< triangles nearer than this become one
constexpr size_t kMostLooked = 64;  ///< marks of one group that are looked at for its kind

/// Marks that share one triangle.
struct MarkGroup {
  double pixel = 0;
  MarkKind kind = MarkKind::kBreak;
  QString label;
  size_t count = 0;
};

size_t firstFrom(const std::vector<Mark>& marks, int64_t timeNs) {
  const auto at = std::lower_bound(
      marks.begin(), marks.end(), timeNs,
      [](const Mark& mark, int64_t limitNs) { return mark.time.startNs < limitNs; });
  return static_cast<size_t>(at - marks.begin());
}

/// Groups what is in view, in steps of binary searches: the cost follows pixels, not marks.
std::vector<MarkGroup> groupMarks(const std::vector<Mark>& marks, const TimeAxis& axis) {
  std::vector<MarkGroup> groups;
  for (size_t i = firstFrom(marks, axis.startNs()); i < marks.size();) {
    const double pixel = axis.toPixel(marks[i].time.startNs);
    if (pixel > axis.widthPx()) break;
    const size_t next = std::max(i + 1, firstFrom(marks, axis.toTime(pixel + kMergePx)));
    MarkGroup group{pixel, marks[i].kind, marks[i].label, 0};
    for (size_t k = i; k < std::min(next, i + kMostLooked); ++k) {
      // The recompilation matters more than the guard failures that led to it.
      if (marks[k].kind != MarkKind::kRecompile || group.kind == MarkKind::kRecompile) continue;
      group.kind = marks[k].kind;
      group.label = marks[k].label;
    }
    for (size_t k = i; k < std::min(next, i + kMostLooked); ++k) {
      group.count += marks[k].kind == group.kind ? 1 : 0;
    }
    if (next - i > kMostLooked) group.count = next - i;
    groups.push_back(group);
    i = next;
  }
  return groups;
}

QString labelOf(const MarkGroup& group) {
  return group.count == 1 ? group.label
                          : group.label + " +" + countText(static_cast<int64_t>(group.count) - 1);
}

void paintDashes(QPainter& painter, QColor colour, double x, QRect body) {
  colour.setAlphaF(0.55F);
  painter.setPen(QPen(colour, 1, Qt::CustomDashLine));
  QPen pen = painter.pen();
  pen.setDashPattern({3, 3});
  painter.setPen(pen);
  painter.drawLine(QPointF(x, body.top()), QPointF(x, body.bottom()));
}

void paintTriangle(QPainter& painter, QColor colour, double x, int top) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const QPointF points[] = {{x - 5, top + 4.0}, {x + 5, top + 4.0}, {x, top + 13.0}};
  painter.drawPolygon(points, 3);
}

}  // namespace

void paintMarks(QPainter& painter, const Timeline& timeline, const TimeAxis& axis, QRect body,
                int markTop) {
  const std::vector<MarkGroup> groups = groupMarks(timeline.marks, axis);
  painter.save();
  painter.setClipRect(body);
  painter.setFont(interfaceFont(11, QFont::DemiBold));
  const QFontMetricsF metrics(painter.font());
  for (size_t i = 0; i < groups.size(); ++i) {
    const double x = std::round(body.left() + groups[i].pixel) + 0.5;
    const QColor colour(colourOf(groups[i].kind));
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintDashes(painter, colour, x, body.adjusted(0, markTop - body.top() + 13, 0, 0));
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintTriangle(painter, colour, x, markTop);
    const double nextPx = i + 1 < groups.size() ? groups[i + 1].pixel : axis.widthPx();
    const double roomPx = nextPx - groups[i].pixel - 16;
    QString text = labelOf(groups[i]);
    if (metrics.horizontalAdvance(text) > roomPx) text = groups[i].label.section(' ', 0, 0);
    if (metrics.horizontalAdvance(text) > roomPx) continue;
    painter.setPen(QColor(inkOf(groups[i].kind)));
    painter.drawText(QPointF(x + 9, markTop + 12), text);
  }
  painter.restore();
}

std::optional<size_t> markAt(const Timeline& timeline, const TimeAxis& axis, double pixel,
                             double tolerancePx) {
  const std::vector<Mark>& marks = timeline.marks;
  std::optional<size_t> best;
  double bestPx = tolerancePx;
  const size_t from = firstFrom(marks, axis.toTime(pixel - tolerancePx));
  for (size_t i = from; i < marks.size() && i < from + kMostLooked; ++i) {
    const double distancePx = std::abs(axis.toPixel(marks[i].time.startNs) - pixel);
    if (axis.toPixel(marks[i].time.startNs) > pixel + tolerancePx) break;
    if (distancePx <= bestPx) best = i, bestPx = distancePx;
  }
  return best;
}

}  // namespace jitscope::gui
