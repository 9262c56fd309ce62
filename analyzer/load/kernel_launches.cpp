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

void placeKernelsOf(Process& process, const std::vector<const Lane*>& lanes, LossLedger& losses) {
  std::unordered_map<CorrelationId, const ApiRow*> calls;
  const std::vector<ApiRow> rows = process.rows<ApiRow>();
  for (const ApiRow& row : rows) calls.try_emplace(row.correlation, &row);
  std::map<int64_t, std::vector<Launch>> launches;
  PieceFinder finder(process.pieces);
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const int64_t startNs = process.kernels.get<&KernelRow::startNs>(i);
    if (!isValidSpan(startNs, process.kernels.get<&KernelRow::endNs>(i))) {
      losses.addOutOfRange(process, KernelRow::kName);
      continue;
    }
    const CorrelationId correlation = process.kernels.get<&KernelRow::correlation>(i);
    const auto call = correlation == CorrelationId::kNone ? calls.end() : calls.find(correlation);
    if (call == calls.end() || !isValidTime(call->second->startNs)) continue;
    process.kernelPieces[i] = finder.find(call->second->thread, call->second->startNs);
    launches[call->second->thread].push_back({call->second->startNs, i});
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
