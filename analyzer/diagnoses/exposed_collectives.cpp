#include "analyzer/diagnoses/exposed_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;

// Of the time from a device's first to its last work.
constexpr int64_t kLeastPercent = 10;

using Span = std::pair<int64_t, int64_t>;

/// The work of one device, by start.
struct DeviceTime {
  std::vector<DeviceWork> collectives;
  std::vector<Span> others;  ///< all other work, without overlap
  int64_t firstNs = 0, lastNs = 0;
};

/// What collectives cost over all devices.
struct Exposure {
  Sum spanNs, collectiveNs, exposedNs;
  std::map<std::string, Sum> byName;
  std::vector<Occurrence> occurrences;
};

class ExposureFinder {
 public:
  ExposureFinder(const Run& run, ProcessIndex index, Exposure& exposure)
      : run_(run), index_(index), process_(run.processes[index]), exposure_(exposure) {}

  void find() {
    std::map<int64_t, DeviceTime> devices;
    for (const DeviceWork& work : deviceWorkOf(process_)) {
      DeviceTime& device = devices[work.device];
      const bool isFirst = device.collectives.empty() && device.others.empty();
      device.firstNs = isFirst ? work.startNs : device.firstNs;
      device.lastNs = std::max(device.lastNs, work.endNs);
      if (isCollectiveWork(work))
        device.collectives.push_back(work);
      else
        addOther(device.others, work);
    }
    for (const auto& [number, device] : devices) add(device);
  }

 private:
  static void addOther(std::vector<Span>& spans, const DeviceWork& work) {
    if (!spans.empty() && work.startNs <= spans.back().second)
      spans.back().second = std::max(spans.back().second, work.endNs);
    else
      spans.emplace_back(work.startNs, work.endNs);
  }

  bool isCollectiveWork(const DeviceWork& work) const {
    return exists(work.kernel) && isCollective(nameOf(work));
  }

  std::string_view nameOf(const DeviceWork& work) const {
    return run_.text(process_.kernels.get<&KernelRow::name>(position(work.kernel)));
  }

  void add(const DeviceTime& device) {
    // A recording of collectives alone does not show what could have run beside them.
    if (device.others.empty()) return;
    exposure_.spanNs += device.lastNs - device.firstNs;
    size_t next = 0;
    int64_t coveredToNs = device.firstNs;
    for (const DeviceWork& work : device.collectives) {
      const int64_t fromNs = std::max(work.startNs, coveredToNs);
      coveredToNs = std::max(coveredToNs, work.endNs);
      const int64_t aloneNs = aloneTime(device.others, next, fromNs, work.endNs);
      exposure_.collectiveNs += work.endNs - work.startNs;
      exposure_.exposedNs += aloneNs;
      exposure_.byName[std::string(nameOf(work))] += aloneNs;
      exposure_.occurrences.push_back({index_, FrameIndex::kNone, 0, work.startNs, work.endNs});
    }
  }

  /// How much of a span no other work shares. `next` is where to go on looking, for spans by start.
  static int64_t aloneTime(const std::vector<Span>& others, size_t& next, int64_t startNs,
                           int64_t endNs) {
    if (startNs >= endNs) return 0;
    while (next < others.size() && others[next].second <= startNs) ++next;
    int64_t aloneNs = 0, atNs = startNs;
    for (; next < others.size() && others[next].first < endNs; ++next) {
      aloneNs += std::max<int64_t>(0, others[next].first - atNs);
      atNs = others[next].second;
      if (atNs >= endNs) return aloneNs;
    }
    return aloneNs + endNs - atNs;
  }

  const Run& run_;
  ProcessIndex index_;
  const Process& process_;
  Exposure& exposure_;
};

std::string worstName(const Exposure& exposure) {
  const auto worst =
      std::max_element(exposure.byName.begin(), exposure.byName.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return worst->first;
}

}  // namespace

std::vector<Finding> findExposedCollectives(const Subject& subject) {
  const Run& run = subject.run;
  // Ranks beside each other tell who is late.
  if (run.processes.size() != 1) return {};
  Exposure exposure;
  ExposureFinder(run, run.processes.indexAt(0), exposure).find();
  if (exposure.exposedNs == 0) return {};
  const int64_t percent = percentOf(exposure.exposedNs, exposure.spanNs);
  if (percent < kLeastPercent) return {};
  Finding finding;
  finding.kind = FindingKind::kStraggler;
  finding.causeClass = "exposed_collective";
  finding.id = "straggler/exposed_collective";
  finding.advice.title =
      fmt::format("the GPU does nothing but wait in collectives {} % of the time", percent);
  finding.advice.cause = fmt::format(
      "of {} in {} collectives, {} overlap with no other work, most of it in {}; whether another "
      "rank is late, or the network is slow, one rank's recording cannot tell",
      durationText(exposure.collectiveNs),
      countText(static_cast<int64_t>(exposure.occurrences.size())),
      durationText(exposure.exposedNs), worstName(exposure));
  finding.advice.fix =
      "record all ranks over the same steps into one folder and open that: the report then names "
      "the rank that is late; if none is, overlap communication with computing (DDP's "
      "bucket_cap_mb, FSDP's prefetching, async_op=True)";
  finding.advice.certainty = Certainty::kUnknown;
  finding.cost.timeNs = exposure.exposedNs;
  finding.estimate =
      Estimate{"all device work of the recording", exposure.spanNs,
               exposure.spanNs - exposure.exposedNs, "all collectives ran beside other work"};
  setOccurrences(finding, "collectives", std::move(exposure.occurrences), {{"percent", percent}});
  return {finding};
}

}  // namespace jitscope::analyzer
