#include "analyzer/sampled_traffic.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

using trace::CounterRow;

constexpr size_t kFewestSamples = 5;
constexpr std::string_view kReadMetric = "dram_read_bytes";
constexpr std::string_view kWrittenMetric = "dram_write_bytes";

}  // namespace

SampledBytes& SampledBytes::operator+=(const SampledBytes& other) {
  read += other.read;
  written += other.written;
  error += other.error;
  return *this;
}

SampledTraffic::SampledTraffic(const Process& process) {
  const ColumnTable<CounterRow> counters(*process.file, process.texts);
  const auto starts = counters.cells<&CounterRow::startNs>();
  std::vector<size_t> order;
  for (size_t i = 0; i < counters.size(); ++i) {
    const std::string_view metric =
        process.file->text(static_cast<trace::StringId>(counters.cells<&CounterRow::metric>()[i]));
    const bool isTraffic = metric == kReadMetric || metric == kWrittenMetric;
    const bool isValid = isValidSpan(starts[i], counters.cells<&CounterRow::endNs>()[i]) &&
                         std::isfinite(counters.get<&CounterRow::value>(i));
    if (isTraffic && isValid) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return starts[a] < starts[b]; });
  for (const size_t i : order) {
    Device& device = byDevice_[counters.get<&CounterRow::device>(i)];
    const bool isRead = process.file->text(static_cast<trace::StringId>(
                            counters.cells<&CounterRow::metric>()[i])) == kReadMetric;
    (isRead ? device.read : device.written)
        .add(starts[i], counters.get<&CounterRow::endNs>(i), counters.get<&CounterRow::value>(i));
  }
}

void SampledTraffic::Series::add(int64_t start, int64_t end, double value) {
  const bool overlaps = !endNs.empty() && start < endNs.back();
  if (overlaps || end <= start || value < 0) return;
  const double bytes = std::min(value, static_cast<double>(kLargestSum));
  if (before.empty()) before.push_back(0);
  startNs.push_back(start);
  endNs.push_back(end);
  before.push_back(before.back() + bytes);
}

double SampledTraffic::Series::inside(size_t at, int64_t start, int64_t end) const {
  const int64_t coveredNs = std::min(end, endNs[at]) - std::max(start, startNs[at]);
  return value(at) * static_cast<double>(coveredNs) / static_cast<double>(endNs[at] - startNs[at]);
}

std::optional<SampledBytes> SampledTraffic::Series::over(int64_t start, int64_t end) const {
  const auto first =
      static_cast<size_t>(std::upper_bound(endNs.begin(), endNs.end(), start) - endNs.begin());
  const auto after =
      static_cast<size_t>(std::lower_bound(startNs.begin(), startNs.end(), end) - startNs.begin());
  if (first + kFewestSamples > after) return std::nullopt;
  const size_t last = after - 1;
  // A sample that is missing leaves a hole as long as itself.
  int64_t coveredNs = 0;
  int64_t longestNs = 0;
  for (size_t i = first; i <= last; ++i) {
    coveredNs += std::min(end, endNs[i]) - std::max(start, startNs[i]);
    longestNs = std::max(longestNs, endNs[i] - startNs[i]);
  }
  if (end - start - coveredNs >= longestNs / 2) return std::nullopt;
  const double firstInside = inside(first, start, end);
  const double lastInside = inside(last, start, end);
  SampledBytes sum;
  sum.read = firstInside + lastInside + before[last] - before[first + 1];
  // All of a sample at the edge may lie inside, or none.
  sum.error = std::max(firstInside, value(first) - firstInside) +
              std::max(lastInside, value(last) - lastInside);
  return sum;
}

std::optional<SampledBytes> SampledTraffic::over(int64_t device, int64_t startNs,
                                                 int64_t endNs) const {
  const auto found = byDevice_.find(device);
  if (found == byDevice_.end()) return std::nullopt;
  const auto read = found->second.read.over(startNs, endNs);
  const auto written = found->second.written.over(startNs, endNs);
  if (!read || !written) return std::nullopt;
  return SampledBytes{read->read, written->read, std::max(read->error, written->error)};
}

std::vector<int64_t> SampledTraffic::devices() const {
  std::vector<int64_t> result;
  for (const auto& [device, counters] : byDevice_) result.push_back(device);
  return result;
}

std::vector<TrafficSample> SampledTraffic::samples(int64_t device) const {
  const auto found = byDevice_.find(device);
  if (found == byDevice_.end()) return {};
  const auto& [read, written] = found->second;
  std::vector<TrafficSample> result;
  size_t other = 0;
  for (size_t i = 0; i < read.startNs.size(); ++i) {
    while (other < written.startNs.size() && written.startNs[other] < read.startNs[i]) ++other;
    const bool isBoth = other < written.startNs.size() &&
                        written.startNs[other] == read.startNs[i] &&
                        written.endNs[other] == read.endNs[i];
    if (isBoth)
      result.push_back({read.startNs[i], read.endNs[i], read.value(i), written.value(other)});
  }
  return result;
}

}  // namespace jitscope::analyzer
