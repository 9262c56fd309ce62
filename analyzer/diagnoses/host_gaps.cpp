#include "analyzer/diagnoses/host_gaps.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/diagnoses/foreign_time.h"
#include "analyzer/diagnoses/op_chain.h"

namespace jitscope::analyzer {
namespace {

using trace::ApiRow;

/// The host side of one process: what ran on its threads, and where it waited.
class HostSide {
 public:
  HostSide(const Run& run, ProcessIndex process, const ApiCalls& calls) : run_(run) {
    for (const Lane& lane : run.lanes) {
      if (lane.process == process) chains_.emplace(lane.thread, OpChain(run, lane));
    }
    for (const ApiRow& call : calls.all()) {
      if (isSynchronization(run.text(call.name))) waits_[call.thread].push_back(&call);
    }
    for (auto& [thread, waits] : waits_) {
      std::sort(waits.begin(), waits.end(),
                [](const ApiRow* a, const ApiRow* b) { return a->startNs < b->startNs; });
    }
  }

  /// Says what the host did in a gap that `launch` ended.
  void describe(const ApiRow& launch, HostGap& gap) const {
    const auto chain = chains_.find(launch.thread);
    const ApiRow* const wait = waitBefore(launch, gap.startNs);
    std::string_view name;
    if (wait != nullptr) gap.wait = run_.text(wait->name);
    if (chain != chains_.end()) {
      name = wait != nullptr ? chain->second.innermostAt(wait->startNs)
                             : chain->second.fillerOf(gap.startNs, gap.endNs);
    }
    gap.hostOperator = name.empty() ? "code between operators" : name;
  }

 private:
  /// The last wait of the launching thread that ended only when the device had become idle.
  const ApiRow* waitBefore(const ApiRow& launch, int64_t idleFromNs) const {
    const auto ofThread = waits_.find(launch.thread);
    if (ofThread == waits_.end()) return nullptr;
    const std::vector<const ApiRow*>& waits = ofThread->second;
    const auto after = std::partition_point(waits.begin(), waits.end(), [&](const ApiRow* each) {
      return each->startNs < launch.startNs;
    });
    if (after == waits.begin()) return nullptr;
    const ApiRow* const wait = *std::prev(after);
    return wait->startNs <= idleFromNs && wait->endNs >= idleFromNs ? wait : nullptr;
  }

  const Run& run_;
  std::map<int64_t, OpChain> chains_;
  std::unordered_map<int64_t, std::vector<const ApiRow*>> waits_;
};

}  // namespace

DeviceUse deviceUseOf(const Run& run, ProcessIndex index) {
  const Process& process = run.processes[index];
  const std::vector<DeviceWork> works = deviceWorkOf(process);
  DeviceUse use;
  if (works.empty()) return use;
  const ApiCalls calls(process);
  for (const ApiRow& call : calls.all()) use.launches += isLaunch(run.text(call.name)) ? 1 : 0;
  const HostSide host(run, index, calls);
  const ForeignTime foreign(run, index);
  BusyTime busy;
  int64_t firstNs = works.front().startNs;
  const auto closeDevice = [&] {
    use.busyNs += busy.busyNs();
    use.spanNs += busy.endNs() - firstNs;
  };
  for (size_t i = 0; i < works.size(); ++i) {
    const DeviceWork& work = works[i];
    if (i > 0 && works[i - 1].device != work.device) {
      closeDevice();
      busy = BusyTime();
      firstNs = work.startNs;
    }
    const int64_t idleFromNs = busy.endNs();
    const int64_t idleNs = busy.add(work);
    const ApiRow* const launch = idleNs > 0 ? calls.find(work.correlation) : nullptr;
    // Work that was launched before the device became idle waited for something else.
    if (launch == nullptr || launch->startNs < idleFromNs) continue;
    HostGap gap{.process = index, .startNs = idleFromNs, .endNs = work.startNs};
    const int64_t foreignNs = foreign.within(gap.startNs, gap.endNs);
    use.foreignNs += foreignNs;
    gap.costNs = idleNs - foreignNs;
    if (gap.costNs <= 0) continue;
    if (exists(work.kernel)) gap.origin = process.originOf(work.kernel);
    host.describe(*launch, gap);
    use.gaps.push_back(std::move(gap));
  }
  closeDevice();
  return use;
}

}  // namespace jitscope::analyzer
