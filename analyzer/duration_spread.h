#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jitscope::analyzer {

/// How many durations lie in `fromNs..toNs`; the end is no part of it.
struct DurationBin {
  int64_t fromNs = 0, toNs = 0, count = 0;
};

/// How the durations of one thing are spread.
struct DurationSpread {
  int64_t count = 0, minNs = 0, medianNs = 0, p95Ns = 0, maxNs = 0;
  std::vector<DurationBin> bins;  ///< from the shortest to the longest, each wider than the last
};

/// Sorts durations into at most `mostBins` bins whose widths grow by the same ratio. No bins for no
/// durations; what is below 0 counts as 0.
DurationSpread spreadOf(std::vector<int64_t> durationsNs, size_t mostBins);

}  // namespace jitscope::analyzer
