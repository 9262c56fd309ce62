#include "gui/loading/lane_source.h"

namespace jitscope::gui {

bool isPlausible(const analyzer::Run& run, TimeRange time) {
  // Copies and calls may reach beyond what bounds a run; nothing reaches an hour beyond it.
  constexpr int64_t kHourNs = 3'600'000'000'000;
  constexpr int64_t kLongestNs =
      int64_t{30} * 24 * kHourNs;  // as the analyzer takes it of its events
  return time.startNs >= run.startNs - kHourNs && time.startNs <= time.endNs &&
         time.endNs <= run.endNs + kHourNs && time.lengthNs() <= kLongestNs;
}

}  // namespace jitscope::gui
