#include "analyzer/load/kernel_launches.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

#include "analyzer/load/pieces.h"
#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

using trace::ApiRow;
using trace::CorrelationId;
using trace::KernelRow;
using trace::OpRow;

/// The host side of a kernel: when and where it was launched.
struct Launch {
  int64_t timeNs = 0;
  size_t kernel = 0;
};

/// Finds, for launches by time, the innermost operator of a lane that was running.
void placeInOps(Process& process, const Lane& lane, std::vector<Launch>& launches) {
  std::sort(launches.begin(), launches.end(),
            [](const Launch& a, const Launch& b) { return a.timeNs < b.timeNs; });
  const auto starts = process.ops.cells<&OpRow::startNs>();
  const auto ends = process.ops.cells<&OpRow::endNs>();
  std::vector<OpIndex> open;
  size_t next = 0;
  for (const Launch& launch : launches) {
    for (; next < lane.ops.size(); ++next) {
      const OpIndex op = lane.ops[next];
      if (starts[position(op)] > launch.timeNs) break;
      while (!open.empty() && ends[position(open.back())] <= starts[position(op)]) open.pop_back();
      open.push_back(op);
    }
    while (!open.empty() && ends[position(open.back())] < launch.timeNs) open.pop_back();
    if (!open.empty()) process.kernelOps[launch.kernel] = open.back();
  }
}

/// Where on the host a kernel came from.
struct LaunchSite {
  int64_t timeNs = 0, thread = 0;
};

/// Finds the launch of a kernel by its correlation: an API call, or an operator in inputs that have
/// no calls.
class LaunchFinder {
 public:
  explicit LaunchFinder(const Process& process) : process_(process) {
    for (const ApiRow& row : process.rows<ApiRow>()) {
      sites_.try_emplace(row.correlation, LaunchSite{row.startNs, row.thread});
    }
    const auto correlations = process.ops.cells<&OpRow::correlation>();
    const auto starts = process.ops.cells<&OpRow::startNs>();
    const auto threads = process.ops.cells<&OpRow::thread>();
    if (!hasKernelWithoutCall()) return;
    for (size_t i = 0; i < correlations.size(); ++i) {
      sites_.try_emplace(CorrelationId{correlations[i]}, LaunchSite{starts[i], threads[i]});
    }
  }

  /// Nothing when the kernel has no correlation, or one that nothing else has.
  const LaunchSite* find(CorrelationId correlation) const {
    const auto found =
        correlation == CorrelationId::kNone ? sites_.end() : sites_.find(correlation);
    return found == sites_.end() || !isValidTime(found->second.timeNs) ? nullptr : &found->second;
  }

 private:
  bool hasKernelWithoutCall() const {
    const auto correlations = process_.kernels.cells<&KernelRow::correlation>();
    return std::any_of(correlations.begin(), correlations.end(), [&](int64_t correlation) {
      return correlation != 0 && !sites_.contains(CorrelationId{correlation});
    });
  }

  const Process& process_;
  std::unordered_map<CorrelationId, LaunchSite> sites_;
};

/// Where the program made each node of its CUDA graphs.
std::unordered_map<int64_t, LaunchSite> captureSites(const Process& process) {
  std::unordered_map<int64_t, LaunchSite> sites;
  for (const trace::GraphNodeRow& row : process.rows<trace::GraphNodeRow>()) {
    if (isValidTime(row.timeNs)) sites.try_emplace(row.node, LaunchSite{row.timeNs, row.thread});
  }
  return sites;
}

void placeKernelsOf(Process& process, const std::vector<const Lane*>& lanes, LossLedger& losses) {
  const LaunchFinder sites(process);
  const auto captures = captureSites(process);
  std::map<int64_t, std::vector<Launch>> launches;
  PieceFinder finder(process.pieces);
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const int64_t startNs = process.kernels.get<&KernelRow::startNs>(i);
    if (!isValidSpan(startNs, process.kernels.get<&KernelRow::endNs>(i))) {
      losses.addOutOfRange(process, KernelRow::kName);
      continue;
    }
    const LaunchSite* const launch = sites.find(process.kernels.get<&KernelRow::correlation>(i));
    if (launch != nullptr) process.kernelPieces[i] = finder.find(launch->thread, launch->timeNs);
    // A replay runs in the region that launches the graph, but does what was captured once.
    const int64_t node = process.kernels.get<&KernelRow::graphNode>(i);
    const auto capture = node == 0 ? captures.end() : captures.find(node);
    const LaunchSite* const site = capture == captures.end() ? launch : &capture->second;
    if (site != nullptr) launches[site->thread].push_back({site->timeNs, i});
  }
  for (const Lane* lane : lanes) {
    const auto ofThread = launches.find(lane->thread);
    if (ofThread != launches.end()) placeInOps(process, *lane, ofThread->second);
  }
}

}  // namespace

void placeKernels(Run& run, LossLedger& losses) {
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const ProcessIndex index = run.processes.indexAt(p);
    Process& process = run.processes[index];
    process.kernelPieces.assign(process.kernels.size(), PieceIndex::kNone);
    process.kernelOps.assign(process.kernels.size(), OpIndex::kNone);
    if (process.kernels.size() == 0) continue;
    std::vector<const Lane*> lanes;
    for (const Lane& lane : run.lanes) {
      if (lane.process == index) lanes.push_back(&lane);
    }
    placeKernelsOf(process, lanes, losses);
  }
}

}  // namespace jitscope::analyzer
