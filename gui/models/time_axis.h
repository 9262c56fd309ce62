#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// The mapping between time and horizontal pixels: a value, cheap to copy. Times are nanoseconds
/// since whatever the user of the axis counts from (the step's start, or the epoch).
class TimeAxis {
 public:
  static constexpr double kShortestSpanNs = 100;
  /// 63 years: twice as much and any time of a recording can still be added up in 64 bits.
  static constexpr int64_t kFarthestNs = 2'000'000'000'000'000'000;

  TimeAxis() = default;
  /// Shows `visible` on `widthPx` pixels; both are made at least 1 (a span at least 100 ns).
  TimeAxis(TimeRange visible, int widthPx);

  int64_t startNs() const { return startNs_; }
  int64_t endNs() const { return startNs_ + static_cast<int64_t>(spanNs_); }
  double spanNs() const { return spanNs_; }
  int widthPx() const { return widthPx_; }
  double pixelsPerNs() const { return widthPx_ / spanNs_; }

  /// Where `timeNs` stands, in pixels from the left; may lie outside of the axis.
  double toPixel(int64_t timeNs) const {
    return static_cast<double>(timeNs - startNs_) * pixelsPerNs();
  }
  /// The time under a pixel, at most `kFarthestNs` from the start.
  int64_t toTime(double pixel) const;

  /// Shows `factor` times the time (less than 1 zooms in), with the time under `pixel` staying
  /// there.
  TimeAxis zoomed(double factor, double pixel) const;
  /// Moves the window by `pixels` to the right (later).
  TimeAxis panned(double pixels) const;
  /// The same window, `offsetNs` later: from a step's own time to that of the recording.
  TimeAxis shifted(int64_t offsetNs) const;
  TimeAxis withWidth(int widthPx) const;
  /// Shows no more than `limits`, at the same zoom where possible.
  TimeAxis clampedTo(TimeRange limits) const;

  bool operator==(const TimeAxis&) const = default;

 private:
  int64_t startNs_ = 0;
  double spanNs_ = 1'000'000;
  int widthPx_ = 1;
};

/// A labelled line of an axis.
struct Tick {
  int64_t timeNs = 0;
  QString label;
};

/// Ticks at 1, 2 or 5 times a power of ten, at least `minimumPx` apart, all labelled in one unit.
std::vector<Tick> ticks(const TimeAxis& axis, int minimumPx);

}  // namespace jitscope::gui
