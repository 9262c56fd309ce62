#include "analyzer/diagnoses/memory_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;

// Caches and partial sectors explain less than that.
constexpr double kMostExcess = 1.2;
// What a plain copy reaches of the data sheet's rate, less what a kernel loses to its arithmetic.
constexpr double kLeastRate = 0.5;
// Shorter kernels are bound by being launched.
constexpr int64_t kShortestNs = 10'000;

/// All kernels of one name.
struct TrafficGroup {
  int64_t count = 0;
  Sum durationNs, measuredBytes, modelledBytes;
  bool hasMeasured = true, hasModelled = true;
  double peakBytesPerSecond = 0;  ///< of the device; 0 when not known
  std::vector<Occurrence> occurrences;

  bool hasBytes() const { return hasMeasured || hasModelled; }
  int64_t bytes() const { return hasMeasured ? measuredBytes : modelledBytes; }
  double bytesPerSecond() const {
    constexpr double kNsPerSecond = 1e9;
    return durationNs == 0
               ? 0
               : static_cast<double>(bytes()) * kNsPerSecond / static_cast<double>(durationNs);
  }
};

using TrafficGroups = std::map<std::string, TrafficGroup>;

std::unordered_map<int64_t, double> peakRates(const Process& process) {
  std::unordered_map<int64_t, double> rates;
  for (const trace::DeviceRow& row : process.rows<trace::DeviceRow>())
    rates[row.device] = row.peakBytesPerSecond;
  return rates;
}

void addKernels(const Run& run, ProcessIndex index, TrafficGroups& groups) {
  const Process& process = run.processes[index];
  const auto peaks = peakRates(process);
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const KernelRow row = process.kernels.row(i);
    if (!isValidSpan(row.startNs, row.endNs)) continue;
    const bool isMeasured = row.bytesRead >= 0 && row.bytesWritten >= 0;
    if (!isMeasured && row.modelledBytes < 0) continue;
    TrafficGroup& group = groups[std::string(run.text(row.name))];
    ++group.count;
    group.durationNs += row.endNs - row.startNs;
    group.hasMeasured &= isMeasured;
    group.hasModelled &= row.modelledBytes >= 0;
    if (isMeasured) group.measuredBytes += sumOf(row.bytesRead, row.bytesWritten);
    group.modelledBytes += row.modelledBytes;
    const auto peak = peaks.find(row.device);
    if (peak != peaks.end()) group.peakBytesPerSecond = peak->second;
    group.occurrences.push_back({index, FrameIndex::kNone, 0, row.startNs, row.endNs});
  }
}

Finding findingOf(const std::string& kernel, const TrafficGroup& group, const char* causeClass) {
  Finding finding;
  finding.kind = FindingKind::kMemoryTraffic;
  finding.causeClass = causeClass;
  finding.id = fmt::format("memory_traffic/{}/{}", causeClass, kernel);
  finding.evidence = {{"kernels", group.count},
                      {"bytes", group.bytes()},
                      {"processes", processCount(group.occurrences)}};
  finding.occurrences = group.occurrences;
  return finding;
}

Finding excessFinding(const std::string& kernel, const TrafficGroup& group) {
  Finding finding = findingOf(kernel, group, "more_than_modelled");
  const int64_t excess = group.measuredBytes - group.modelledBytes;
  finding.advice.title = fmt::format("{} moves {} more than its inputs and outputs hold", kernel,
                                     bytesText(excess / group.count));
  finding.advice.cause = fmt::format(
      "measured are {} in {} kernels, by the shapes it would be {}: something is read twice, or in "
      "pieces smaller than the memory's",
      bytesText(group.measuredBytes), countText(group.count), bytesText(group.modelledBytes));
  finding.advice.fix =
      "make the tensors contiguous in the order in which the kernel walks them; a transposed or "
      "strided input is what most often costs twice";
  finding.advice.certainty = Certainty::kLikely;
  finding.cost.bytes = excess;
  finding.evidence.push_back({"modelled bytes", group.modelledBytes});
  return finding;
}

Finding slowFinding(const std::string& kernel, const TrafficGroup& group) {
  Finding finding = findingOf(kernel, group, "low_bandwidth");
  constexpr double kBytesPerGigabyte = 1e9;
  const double share = group.bytesPerSecond() / group.peakBytesPerSecond;
  finding.advice.title =
      fmt::format("{} reaches {:.0f} % of the memory's rate", kernel, 100 * share);
  finding.advice.cause = fmt::format(
      "{} bytes in {} are {:.0f} GB/s, the device has {:.0f}",
      group.hasMeasured ? "measured" : "modelled", durationText(group.durationNs),
      group.bytesPerSecond() / kBytesPerGigabyte, group.peakBytesPerSecond / kBytesPerGigabyte);
  finding.advice.fix =
      "if the kernel computes much for each byte, nothing; else give it more to do at once (larger "
      "batches), or let the compiler tune it (mode=\"max-autotune\")";
  finding.advice.certainty = Certainty::kLikely;
  const double neededNs = static_cast<double>(group.durationNs) * share / kLeastRate;
  finding.cost.timeNs = group.durationNs - amountOf(neededNs);
  return finding;
}

}  // namespace

std::vector<Finding> findMemoryTraffic(const Subject& subject) {
  TrafficGroups groups;
  for (size_t p = 0; p < subject.run.processes.size(); ++p)
    addKernels(subject.run, subject.run.processes.indexAt(p), groups);
  std::vector<Finding> findings;
  for (const auto& [kernel, group] : groups) {
    const double modelled = static_cast<double>(group.modelledBytes);
    const bool hasBoth = group.hasMeasured && group.hasModelled && group.modelledBytes > 0;
    if (hasBoth && static_cast<double>(group.measuredBytes) > kMostExcess * modelled)
      findings.push_back(excessFinding(kernel, group));
    const bool isLong = group.durationNs / group.count >= kShortestNs;
    const bool isSlow = group.bytesPerSecond() < kLeastRate * group.peakBytesPerSecond;
    // A kernel of matrices is bound by arithmetic, which bytes do not tell.
    const bool isFused = kernel.find("fused") != std::string::npos ||
                         kernel.find("elementwise") != std::string::npos;
    if (group.hasBytes() && isLong && isSlow && isFused)
      findings.push_back(slowFinding(kernel, group));
  }
  return findings;
}

}  // namespace jitscope::analyzer
