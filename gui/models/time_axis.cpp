#include "gui/models/time_axis.h"

#include <algorithm>
#include <cmath>

#include "gui/models/number_text.h"

namespace jitscope::gui {

TimeAxis::TimeAxis(TimeRange visible, int widthPx)
    : startNs_(visible.startNs),
      spanNs_(std::max(kShortestSpanNs, static_cast<double>(visible.lengthNs()))),
      widthPx_(std::max(1, widthPx)) {}

int64_t TimeAxis::toTime(double pixel) const {
  return startNs_ + static_cast<int64_t>(std::llround(pixel / pixelsPerNs()));
}

TimeAxis TimeAxis::zoomed(double factor, double pixel) const {
  TimeAxis result = *this;
  result.spanNs_ = std::max(kShortestSpanNs, spanNs_ * factor);
  const double fraction = pixel / widthPx_;
  result.startNs_ += static_cast<int64_t>(std::llround((spanNs_ - result.spanNs_) * fraction));
  return result;
}

TimeAxis TimeAxis::panned(double pixels) const {
  TimeAxis result = *this;
  result.startNs_ += static_cast<int64_t>(std::llround(pixels / pixelsPerNs()));
  return result;
}

TimeAxis TimeAxis::shifted(int64_t offsetNs) const {
  TimeAxis result = *this;
  result.startNs_ += offsetNs;
  return result;
}

TimeAxis TimeAxis::withWidth(int widthPx) const {
  TimeAxis result = *this;
  result.widthPx_ = std::max(1, widthPx);
  return result;
}

TimeAxis TimeAxis::clampedTo(TimeRange limits) const {
  TimeAxis result = *this;
  const auto longest = std::max(kShortestSpanNs, static_cast<double>(limits.lengthNs()));
  result.spanNs_ = std::min(spanNs_, longest);
  const int64_t latest = limits.endNs - static_cast<int64_t>(result.spanNs_);
  result.startNs_ = std::clamp(startNs_, limits.startNs, std::max(limits.startNs, latest));
  return result;
}

std::vector<Tick> ticks(const TimeAxis& axis, int minimumPx) {
  const double wanted = std::max(1.0, minimumPx / axis.pixelsPerNs());
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  double step = power;
  for (const double multiple : {1.0, 2.0, 5.0, 10.0}) {
    step = power * multiple;
    if (step >= wanted) break;
  }
  const auto stepNs = std::max<int64_t>(1, std::llround(step));
  const auto first = static_cast<int64_t>(
      std::ceil(static_cast<double>(axis.startNs()) / static_cast<double>(stepNs)));
  std::vector<Tick> result;
  for (int64_t n = first; n * stepNs <= axis.endNs(); ++n) {
    result.push_back({n * stepNs, tickText(n * stepNs, stepNs)});
  }
  return result;
}

}  // namespace jitscope::gui
