#include "gui/models/time_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

/// `timeNs` and a distance that a wheel or a drag asked for, which may be any.
int64_t moved(int64_t timeNs, double distanceNs) {
  constexpr auto kFarthest = static_cast<double>(TimeAxis::kFarthestNs);
  const int64_t byNs = std::llround(std::clamp(distanceNs, -kFarthest, kFarthest));
  constexpr int64_t kEarliest = std::numeric_limits<int64_t>::min();
  constexpr int64_t kLatest = std::numeric_limits<int64_t>::max();
  return byNs < 0 ? std::max(timeNs, kEarliest - byNs) + byNs
                  : std::min(timeNs, kLatest - byNs) + byNs;
}

}  // namespace

TimeAxis::TimeAxis(TimeRange visible, int widthPx)
    : startNs_(visible.startNs),
      spanNs_(std::max(kShortestSpanNs, static_cast<double>(visible.lengthNs()))),
      widthPx_(std::max(1, widthPx)) {}

int64_t TimeAxis::toTime(double pixel) const { return moved(startNs_, pixel / pixelsPerNs()); }

TimeAxis TimeAxis::zoomed(double factor, double pixel) const {
  TimeAxis result = *this;
  result.spanNs_ =
      std::clamp(spanNs_ * factor, kShortestSpanNs, 2 * static_cast<double>(kFarthestNs));
  const double fraction = pixel / widthPx_;
  result.startNs_ = moved(startNs_, (spanNs_ - result.spanNs_) * fraction);
  return result;
}

TimeAxis TimeAxis::panned(double pixels) const {
  TimeAxis result = *this;
  result.startNs_ = moved(startNs_, pixels / pixelsPerNs());
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
  constexpr double kLongestNs = 1e18;  // ten of them are more than any axis shows
  const double wanted = std::clamp(minimumPx / axis.pixelsPerNs(), 1.0, kLongestNs);
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
  for (int64_t timeNs = first * stepNs; timeNs <= axis.endNs(); timeNs += stepNs) {
    result.push_back({timeNs, tickText(timeNs, stepNs)});
  }
  return result;
}

}  // namespace jitscope::gui
