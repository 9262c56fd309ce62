#include "analyzer/import/gpu_tally.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace jitscope::analyzer {

const GpuTally::Launch* GpuTally::find(int64_t correlation) const {
  const auto found = std::lower_bound(
      launches_.begin(), launches_.end(), correlation,
      [](const Launch& launch, int64_t wanted) { return launch.correlation < wanted; });
  return found == launches_.end() || found->correlation != correlation ? nullptr : &*found;
}

/// Work that starts before the latest end on its track, by more than what rounding explains.
int64_t GpuTally::countOverlaps() {
  constexpr int64_t kRoundingNs = 2;
  std::sort(work_.begin(), work_.end(), [](const Work& a, const Work& b) {
    return std::tuple(a.track, a.startNs, a.endNs) < std::tuple(b.track, b.startNs, b.endNs);
  });
  int64_t overlaps = 0, endNs = 0;
  for (size_t i = 0; i < work_.size(); ++i) {
    const bool isFirst = i == 0 || work_[i - 1].track != work_[i].track;
    if (!isFirst && work_[i].startNs < endNs - kRoundingNs) ++overlaps;
    endNs = isFirst ? work_[i].endNs : std::max(endNs, work_[i].endNs);
  }
  return overlaps;
}

void GpuTally::count(Import& import) {
  const auto isBefore = [](const Launch& a, const Launch& b) {
    return a.correlation < b.correlation;
  };
  if (!std::is_sorted(launches_.begin(), launches_.end(), isBefore)) {
    std::stable_sort(launches_.begin(), launches_.end(), isBefore);
  }
  int64_t unrelated = 0, unmatched = 0, early = 0, zero = 0;
  for (const Work& work : work_) {
    if (work.endNs == work.startNs) ++zero;
    if (!work.correlation) {
      ++unrelated;
      continue;
    }
    const Launch* const launch = find(*work.correlation);
    if (launch == nullptr) {
      ++unmatched;
    } else if (work.startNs < launch->startNs) {
      ++early;
    }
  }
  import.count("no_corr", unrelated);
  import.count("corr_unmatched", unmatched);
  import.count("same_stream_overlaps", countOverlaps());
  import.count("neg_launch_latency", early);
  import.count("zero_dur_gpu", zero);
}

}  // namespace jitscope::analyzer
