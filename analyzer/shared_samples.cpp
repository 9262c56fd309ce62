#include "analyzer/shared_samples.h"

#include <algorithm>

#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// What touches as many has samples of its own.
constexpr size_t kFewestOwnSamples = 5;

int64_t overlapNs(const TrafficSample& sample, int64_t startNs, int64_t endNs) {
  return std::max<int64_t>(0, std::min(endNs, sample.endNs) - std::max(startNs, sample.startNs));
}

/// The length in the middle of those of samples in which something moved.
int64_t intervalOf(const std::vector<TrafficSample>& samples) {
  std::vector<int64_t> lengthsNs;
  for (const TrafficSample& sample : samples) {
    if (sample.read + sample.written > 0) lengthsNs.push_back(sample.endNs - sample.startNs);
  }
  if (lengthsNs.empty()) return 0;
  const auto middle = lengthsNs.begin() + static_cast<ptrdiff_t>(lengthsNs.size() / 2);
  std::nth_element(lengthsNs.begin(), middle, lengthsNs.end());
  return *middle;
}

}  // namespace

size_t SharedSamples::Device::firstAfter(int64_t timeNs) const {
  const auto found = std::upper_bound(
      samples.begin(), samples.end(), timeNs,
      [](int64_t time, const TrafficSample& sample) { return time < sample.endNs; });
  return static_cast<size_t>(found - samples.begin());
}

size_t SharedSamples::Device::firstFrom(int64_t timeNs) const {
  const auto found = std::lower_bound(
      samples.begin(), samples.end(), timeNs,
      [](const TrafficSample& sample, int64_t time) { return sample.startNs < time; });
  return static_cast<size_t>(found - samples.begin());
}

template <class Row>
void SharedSamples::addWork(const Process& process) {
  const ColumnTable<Row> rows(*process.file, process.texts);
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t startNs = rows.template get<&Row::startNs>(i);
    const int64_t endNs = rows.template get<&Row::endNs>(i);
    const auto found = byDevice_.find(rows.template get<&Row::device>(i));
    if (found == byDevice_.end() || !isValidSpan(startNs, endNs)) continue;
    Device& device = found->second;
    const size_t first = device.firstAfter(startNs);
    const size_t after = device.firstFrom(endNs);
    if (first >= after) continue;
    const auto addEdge = [&](size_t at) {
      device.busyNs[at] = sumOf(device.busyNs[at], overlapNs(device.samples[at], startNs, endNs));
    };
    addEdge(first);
    if (after - first == 1) continue;
    addEdge(after - 1);
    ++device.coverSteps[first + 1];
    --device.coverSteps[after - 1];
  }
}

/// What lies between the edges of work, all at once: it may cover any number of samples.
void SharedSamples::addCovering() {
  for (auto& [id, device] : byDevice_) {
    int64_t covering = 0;
    for (size_t i = 0; i < device.samples.size(); ++i) {
      covering += device.coverSteps[i];
      const int64_t lengthNs = device.samples[i].endNs - device.samples[i].startNs;
      device.busyNs[i] = sumOf(device.busyNs[i], productOf(lengthNs, covering));
    }
    device.coverSteps = {};
  }
}

SharedSamples::SharedSamples(const Process& process, const SampledTraffic& traffic) {
  for (const int64_t id : traffic.devices()) {
    Device& device = byDevice_[id];
    device.samples = traffic.samples(id);
    device.busyNs.resize(device.samples.size());
    device.coverSteps.resize(device.samples.size() + 1);
    device.intervalNs = intervalOf(device.samples);
  }
  if (byDevice_.empty()) return;
  addWork<trace::KernelRow>(process);
  addWork<trace::MemcpyRow>(process);
  addWork<trace::MemsetRow>(process);
  addCovering();
}

std::optional<SampledBytes> SharedSamples::over(int64_t id, int64_t startNs, int64_t endNs) const {
  const auto found = byDevice_.find(id);
  if (found == byDevice_.end()) return std::nullopt;
  const Device& device = found->second;
  const size_t first = device.firstAfter(startNs);
  const size_t after = device.firstFrom(endNs);
  if (first >= after || after - first >= kFewestOwnSamples) return std::nullopt;
  SampledBytes sum;
  int64_t coveredNs = 0;
  for (size_t at = first; at < after; ++at) {
    const TrafficSample& sample = device.samples[at];
    const int64_t ownNs = overlapNs(sample, startNs, endNs);
    coveredNs += ownNs;
    if (ownNs == 0 || device.busyNs[at] < ownNs) continue;
    const double share = static_cast<double>(ownNs) / static_cast<double>(device.busyNs[at]);
    sum.read += share * sample.read;
    sum.written += share * sample.written;
    const bool isAlone = device.busyNs[at] == ownNs;
    if (!isAlone) sum.error += std::max(share, 1 - share) * std::max(sample.read, sample.written);
  }
  // Samples need not quite meet.
  constexpr int64_t kLargestHole = 20;
  const int64_t durationNs = endNs - startNs;
  if (coveredNs < durationNs - durationNs / kLargestHole) return std::nullopt;
  return sum;
}

int64_t SharedSamples::intervalNs(int64_t id) const {
  const auto found = byDevice_.find(id);
  return found == byDevice_.end() ? 0 : found->second.intervalNs;
}

}  // namespace jitscope::analyzer
