#pragma once

#include <QWidget>

#include "analyzer/duration_spread.h"
#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// How durations are spread, as columns whose height is the number of them in each bin; the median
/// and the 95th percentile are marked. Under the mouse a column tells its numbers.
class HistogramView final : public QWidget {
  Q_OBJECT
 public:
  explicit HistogramView(QWidget* parent = nullptr);

  /// Shows other durations in the colour of their origin.
  void show(const analyzer::DurationSpread& spread, Category category);

  QSize sizeHint() const override { return {420, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// Where the columns stand.
  QRect plot() const;
  void paintColumns(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  /// Where a duration stands on the axis, which is as uneven as the bins.
  double xOf(int64_t durationNs) const;

  analyzer::DurationSpread spread_;
  Category category_ = Category::kHost;
};

}  // namespace jitscope::gui
