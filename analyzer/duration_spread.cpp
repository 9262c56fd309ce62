#include "analyzer/duration_spread.h"

#include <algorithm>
#include <cmath>

#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// Where the bins between two durations begin, and behind them where the last one ends.
std::vector<int64_t> edgesBetween(int64_t minNs, int64_t maxNs, size_t mostBins) {
  std::vector<int64_t> edges{minNs};
  const double low = std::max(1.0, static_cast<double>(minNs));
  const double ratio = (static_cast<double>(maxNs) + 1) / low;
  for (size_t i = 1; i < mostBins; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(mostBins);
    const int64_t edge = amountOf(std::round(low * std::pow(ratio, share)));
    if (edge > edges.back() && edge <= maxNs) edges.push_back(edge);
  }
  edges.push_back(maxNs + 1);
  return edges;
}

}  // namespace

DurationSpread spreadOf(std::vector<int64_t> durationsNs, size_t mostBins) {
  if (durationsNs.empty()) return {};
  for (int64_t& each : durationsNs) each = summable(each);
  std::sort(durationsNs.begin(), durationsNs.end());
  const size_t count = durationsNs.size();
  constexpr size_t kPercent = 100, kHigh = 95;
  DurationSpread spread{
      static_cast<int64_t>(count), durationsNs.front(),
      durationsNs[count / 2],      durationsNs[std::min(count - 1, count * kHigh / kPercent)],
      durationsNs.back(),          {}};
  const std::vector<int64_t> edges = edgesBetween(spread.minNs, spread.maxNs, mostBins);
  auto from = durationsNs.begin();
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    const auto to = std::lower_bound(from, durationsNs.end(), edges[i + 1]);
    spread.bins.push_back({edges[i], edges[i + 1], static_cast<int64_t>(to - from)});
    from = to;
  }
  return spread;
}

}  // namespace jitscope::analyzer
