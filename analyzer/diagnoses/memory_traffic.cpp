#include "analyzer/diagnoses/memory_traffic.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/kernel_traffic.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

// Caches and partial sectors explain less than that.
constexpr double kMostExcess = 1.2;
// What a plain copy reaches of the data sheet's rate, less what a kernel loses to its arithmetic.
constexpr double kLeastRate = 0.5;
// Shorter kernels are bound by being launched.
constexpr int64_t kShortestNs = 10'000;

Finding findingOf(const std::string& kernel, const TrafficGroup& group, TrafficSource source,
                  const char* causeClass) {
  const KernelTraffic& traffic = group.of(source);
  Finding finding;
  finding.kind = FindingKind::kMemoryTraffic;
  finding.causeClass = causeClass;
  finding.id = fmt::format("memory_traffic/{}/{}", causeClass, kernel);
  finding.advice.certainty = Certainty::kLikely;
  finding.evidence = {{"kernels", traffic.kernels},
                      {fmt::format("{} bytes", name(source)), traffic.bytes},
                      {"processes", processCount(group.occurrences)}};
  if (source == TrafficSource::kSampled)
    finding.evidence.push_back({"error bytes", traffic.errorBytes});
  finding.occurrences = group.occurrences;
  return finding;
}

/// Whether kernels move more than their shapes say, whatever the counters' error.
bool isExcess(const KernelTraffic& traffic) {
  if (traffic.kernels == 0 || !traffic.isAllModelled || traffic.modelledBytes == 0) return false;
  const double least = static_cast<double>(traffic.bytes) - static_cast<double>(traffic.errorBytes);
  return least > kMostExcess * static_cast<double>(traffic.modelledBytes);
}

Finding excessFinding(const std::string& kernel, const TrafficGroup& group, TrafficSource source) {
  const KernelTraffic& traffic = group.of(source);
  Finding finding = findingOf(kernel, group, source, "more_than_modelled");
  const int64_t excess = traffic.bytes - traffic.modelledBytes;
  finding.advice.title = fmt::format("{} moves {} more than its inputs and outputs hold", kernel,
                                     bytesText(excess / traffic.kernels));
  finding.advice.cause = fmt::format(
      "{} bytes are {} in {} kernels, by the shapes it would be {}: something is read twice, or in "
      "pieces smaller than the memory's",
      name(source), bytesText(traffic.bytes), countText(traffic.kernels),
      bytesText(traffic.modelledBytes));
  finding.advice.fix =
      "make the tensors contiguous in the order in which the kernel walks them; a transposed or "
      "strided input is what most often costs twice";
  finding.cost.bytes = excess;
  finding.evidence.push_back({"modelled bytes", traffic.modelledBytes});
  const double share =
      static_cast<double>(traffic.modelledBytes) / static_cast<double>(traffic.bytes);
  finding.estimate = Estimate{fmt::format("all runs of {}", kernel), traffic.durationNs,
                              amountOf(static_cast<double>(traffic.durationNs) * share),
                              "its time went with the bytes that it moves"};
  return finding;
}

Finding slowFinding(const std::string& kernel, const TrafficGroup& group, TrafficSource source) {
  const KernelTraffic& traffic = group.of(source);
  Finding finding = findingOf(kernel, group, source, "low_bandwidth");
  constexpr double kBytesPerGigabyte = 1e9;
  const double share = traffic.bytesPerSecond() / group.fullRate;
  finding.advice.title =
      fmt::format("{} reaches {:.0f} % of the memory's rate", kernel, 100 * share);
  finding.advice.cause =
      fmt::format("{} bytes in {} are {:.0f} GB/s, {} {:.0f}", name(source),
                  durationText(traffic.durationNs), traffic.bytesPerSecond() / kBytesPerGigabyte,
                  group.isCopyRate ? "a plain copy in this recording reaches" : "the device has",
                  group.fullRate / kBytesPerGigabyte);
  finding.advice.fix =
      "if the kernel computes much for each byte, nothing; else give it more to do at once (larger "
      "batches), or let the compiler tune it (mode=\"max-autotune\")";
  const double neededNs = static_cast<double>(traffic.durationNs) * share / kLeastRate;
  finding.cost.timeNs = traffic.durationNs - amountOf(neededNs);
  finding.estimate = Estimate{fmt::format("all runs of {}", kernel), traffic.durationNs,
                              amountOf(neededNs), "it moved its bytes at half of that rate"};
  return finding;
}

/// The best source that a group has.
TrafficSource bestSource(const TrafficGroup& group) {
  if (group.of(TrafficSource::kExact).kernels > 0) return TrafficSource::kExact;
  return group.of(TrafficSource::kSampled).kernels > 0 ? TrafficSource::kSampled
                                                       : TrafficSource::kModelled;
}

bool isSlow(const std::string& kernel, const TrafficGroup& group, const KernelTraffic& traffic) {
  // A kernel of matrices is bound by arithmetic, which bytes do not tell.
  const bool isFused =
      kernel.find("fused") != std::string::npos || kernel.find("elementwise") != std::string::npos;
  const bool isLong = traffic.kernels > 0 && traffic.durationNs / traffic.kernels >= kShortestNs;
  return isFused && isLong && traffic.bytesPerSecond() < kLeastRate * group.fullRate;
}

}  // namespace

std::vector<Finding> findMemoryTraffic(const Subject& subject) {
  std::vector<Finding> findings;
  for (const auto& [kernel, group] : trafficOf(subject.run)) {
    const TrafficSource source = bestSource(group);
    const KernelTraffic& traffic = group.of(source);
    if (source != TrafficSource::kModelled && isExcess(traffic))
      findings.push_back(excessFinding(kernel, group, source));
    if (isSlow(kernel, group, traffic)) findings.push_back(slowFinding(kernel, group, source));
  }
  return findings;
}

}  // namespace jitscope::analyzer
