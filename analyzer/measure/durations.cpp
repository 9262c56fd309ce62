#include "analyzer/measure/durations.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jitscope::analyzer {

int64_t medianOf(std::vector<int64_t> durations) {
  if (durations.empty()) return 0;
  const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  return *middle;
}

double deviationsAbove(const std::vector<int64_t>& some, const std::vector<int64_t>& others) {
  if (some.empty() || others.empty()) return 0;
  std::vector<std::pair<int64_t, bool>> all;
  all.reserve(some.size() + others.size());
  for (const int64_t duration : others) all.emplace_back(duration, false);
  for (const int64_t duration : some) all.emplace_back(duration, true);
  std::sort(all.begin(), all.end());
  double above = 0;  // pairs in which one of `some` took longer; equal ones count half
  size_t othersBelow = 0;
  for (size_t from = 0; from < all.size();) {
    size_t to = from, equalOthers = 0;
    for (; to < all.size() && all[to].first == all[from].first; ++to)
      equalOthers += all[to].second ? 0 : 1;
    const auto equalSome = static_cast<double>(to - from - equalOthers);
    above +=
        equalSome * (static_cast<double>(othersBelow) + 0.5 * static_cast<double>(equalOthers));
    othersBelow += equalOthers;
    from = to;
  }
  const auto n = static_cast<double>(some.size());
  const auto m = static_cast<double>(others.size());
  return (above - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
}

}  // namespace jitscope::analyzer
