#include "analyzer/diagnoses/kernel_traffic.h"

#include <algorithm>
#include <unordered_map>

#include "analyzer/load/valid_time.h"
#include "analyzer/sampled_traffic.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;

constexpr double kNsPerSecond = 1e9;

/// What a device can move in a second.
struct FullRate {
  double bytesPerSecond = 0;
  bool isCopyRate = false;
};

using FullRates = std::unordered_map<int64_t, FullRate>;

/// By the fastest large copy within the device, which reads and writes each byte, else by the data
/// sheet.
FullRates fullRates(const Process& process) {
  // Smaller ones stay in the cache.
  constexpr int64_t kLeastBytes = 256LL << 20;
  FullRates rates;
  for (const trace::DeviceRow& row : process.rows<trace::DeviceRow>())
    rates[row.device] = {row.peakBytesPerSecond, false};
  for (const trace::MemcpyRow& row : process.rows<trace::MemcpyRow>()) {
    const bool isInside = row.kind == trace::CopyKind::kDeviceToDevice && row.bytes >= kLeastBytes;
    if (!isInside || !isValidSpan(row.startNs, row.endNs) || row.startNs == row.endNs) continue;
    const double rate = 2 * static_cast<double>(row.bytes) * kNsPerSecond /
                        static_cast<double>(row.endNs - row.startNs);
    FullRate& known = rates[row.device];
    if (!known.isCopyRate || rate > known.bytesPerSecond) known = {rate, true};
  }
  return rates;
}

void addTo(KernelTraffic& traffic, const KernelRow& row, int64_t bytes, int64_t errorBytes) {
  ++traffic.kernels;
  traffic.durationNs += row.endNs - row.startNs;
  traffic.bytes += bytes;
  traffic.errorBytes += errorBytes;
  traffic.isAllModelled &= row.modelledBytes >= 0;
  traffic.modelledBytes += row.modelledBytes;
}

void addKernel(const KernelRow& row, const SampledTraffic& samples, TrafficGroup& group) {
  const auto sourced = [&](TrafficSource source) -> KernelTraffic& {
    return group.bySource[static_cast<size_t>(source)];
  };
  if (row.bytesRead >= 0 && row.bytesWritten >= 0)
    addTo(sourced(TrafficSource::kExact), row, sumOf(row.bytesRead, row.bytesWritten), 0);
  if (const auto sampled = samples.over(row.device, row.startNs, row.endNs)) {
    addTo(sourced(TrafficSource::kSampled), row, amountOf(sampled->read + sampled->written),
          amountOf(2 * sampled->error));
  }
  if (row.modelledBytes >= 0) addTo(sourced(TrafficSource::kModelled), row, row.modelledBytes, 0);
}

void addKernels(const Run& run, ProcessIndex index, std::map<std::string, TrafficGroup>& groups) {
  const Process& process = run.processes[index];
  const FullRates rates = fullRates(process);
  const SampledTraffic samples(process);
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const KernelRow row = process.kernels.row(i);
    const bool isKnown = row.modelledBytes >= 0 || row.bytesRead >= 0 || !samples.isEmpty();
    if (!isKnown || !isValidSpan(row.startNs, row.endNs)) continue;
    TrafficGroup& group = groups[std::string(run.text(row.name))];
    addKernel(row, samples, group);
    const auto rate = rates.find(row.device);
    if (rate != rates.end() && rate->second.bytesPerSecond > group.fullRate) {
      group.fullRate = rate->second.bytesPerSecond;
      group.isCopyRate = rate->second.isCopyRate;
    }
    group.occurrences.push_back({index, FrameIndex::kNone, 0, row.startNs, row.endNs});
  }
}

}  // namespace

std::string_view name(TrafficSource source) {
  switch (source) {
    case TrafficSource::kExact:
      return "exact";
    case TrafficSource::kSampled:
      return "measured";
    case TrafficSource::kModelled:
      return "modelled";
  }
  return "";
}

double KernelTraffic::bytesPerSecond() const {
  if (durationNs == 0) return 0;
  return (static_cast<double>(bytes) + static_cast<double>(errorBytes)) * kNsPerSecond /
         static_cast<double>(durationNs);
}

std::map<std::string, TrafficGroup> trafficOf(const Run& run) {
  std::map<std::string, TrafficGroup> groups;
  for (size_t p = 0; p < run.processes.size(); ++p)
    addKernels(run, run.processes.indexAt(p), groups);
  return groups;
}

}  // namespace jitscope::analyzer
