#include "gui/widgets/histogram_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/models/number_text.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kAxisPx = 18;
constexpr int kTopPx = 16;  ///< for the names of the marks
constexpr int kSidePx = 8;

QString binText(const analyzer::DurationBin& bin) {
  return countText(bin.count) + " between " + durationText(bin.fromNs) + " and " +
         durationText(bin.toNs);
}

}  // namespace

HistogramView::HistogramView(QWidget* parent) : QWidget(parent) {
  setObjectName("histogram");
  setAccessibleName("Distribution of durations");
  setMinimumSize(160, 80);
}

void HistogramView::show(const analyzer::DurationSpread& spread, Category category) {
  spread_ = spread;
  category_ = category;
  setAccessibleDescription(spread.count == 0
                               ? QString()
                               : countText(spread.count) + " from " + durationText(spread.minNs) +
                                     " to " + durationText(spread.maxNs) + ", median " +
                                     durationText(spread.medianNs));
  update();
}

QRect HistogramView::plot() const { return rect().adjusted(kSidePx, kTopPx, -kSidePx, -kAxisPx); }

double HistogramView::xOf(int64_t durationNs) const {
  const auto& bins = spread_.bins;
  const double binPx = plot().width() / static_cast<double>(bins.size());
  for (size_t i = 0; i < bins.size(); ++i) {
    if (durationNs >= bins[i].toNs) continue;
    const double inside = static_cast<double>(durationNs - bins[i].fromNs) /
                          static_cast<double>(bins[i].toNs - bins[i].fromNs);
    return plot().left() + binPx * (static_cast<double>(i) + std::clamp(inside, 0.0, 1.0));
  }
  return plot().right();
}

void HistogramView::paintColumns(QPainter& painter) const {
  const QRect area = plot();
  int64_t most = 1;
  for (const analyzer::DurationBin& bin : spread_.bins) most = std::max(most, bin.count);
  const double binPx = area.width() / static_cast<double>(spread_.bins.size());
  for (size_t i = 0; i < spread_.bins.size(); ++i) {
    const int64_t count = spread_.bins[i].count;
    if (count == 0) continue;
    // What is rare stays visible.
    const double height =
        std::max(2.0, area.height() * static_cast<double>(count) / static_cast<double>(most));
    const double left = area.left() + binPx * static_cast<double>(i);
    painter.fillRect(QRectF(left, area.bottom() + 1 - height, std::max(1.0, binPx - 1), height),
                     QColor(colourOf(category_)));
  }
}

void HistogramView::paintAxis(QPainter& painter) const {
  const QRect area = plot();
  painter.fillRect(area.left(), area.bottom() + 1, area.width(), 1, QColor(colours().line));
  painter.setFont(fixedFont(10));
  painter.setPen(QColor(colours().secondary));
  const QRect below(area.left(), area.bottom() + 3, area.width(), kAxisPx - 3);
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, durationText(spread_.minNs));
  if (spread_.maxNs > spread_.minNs)
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, durationText(spread_.maxNs));
  int free = area.left();
  for (const auto& [name, durationNs] :
       {std::pair{"p50 ", spread_.medianNs}, std::pair{"p95 ", spread_.p95Ns}}) {
    const int x = static_cast<int>(std::lround(xOf(durationNs)));
    painter.fillRect(x, area.top() - 2, 1, area.height() + 3, QColor(colours().text));
    const QString text = name + durationText(durationNs);
    const int width = painter.fontMetrics().horizontalAdvance(text);
    const int left = std::clamp(x - width / 2, free, std::max(free, area.right() - width));
    if (left + width > area.right() + kSidePx) continue;
    painter.drawText(left, area.top() - 5, text);
    free = left + width + 8;
  }
}

void HistogramView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (spread_.bins.empty()) return;
  paintColumns(painter);
  paintAxis(painter);
}

bool HistogramView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || spread_.bins.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const double binPx = plot().width() / static_cast<double>(spread_.bins.size());
  const auto bin = static_cast<int>((help->pos().x() - plot().left()) / binPx);
  const auto last = static_cast<int>(spread_.bins.size()) - 1;
  QToolTip::showText(help->globalPos(),
                     binText(spread_.bins[static_cast<size_t>(std::clamp(bin, 0, last))]), this);
  return true;
}

}  // namespace jitscope::gui
