#include "analyzer/load/lanes.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "analyzer/load/pieces.h"
#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {
namespace {

using trace::OpRow;
using LaneKey = std::pair<ProcessIndex, int64_t>;

/// An operator with what its lane is ordered by.
struct OrderedOp {
  int64_t startNs = 0, endNs = 0;
  OpIndex op = OpIndex::kNone;
};

/// Parents before children; the recorder writes an operator when it ends, so children come first.
bool isEarlierOp(const OrderedOp& a, const OrderedOp& b) {
  if (a.startNs != b.startNs) return a.startNs < b.startNs;
  if (a.endNs != b.endNs) return a.endNs > b.endNs;
  return a.op > b.op;
}

class LaneBuilder {
 public:
  explicit LaneBuilder(Run& run) : run_(run) {}

  void addOps(ProcessIndex index) {
    const Process& process = run_.processes[index];
    std::unordered_map<int64_t, std::vector<OrderedOp>> byThread;
    std::vector<OrderedOp>* list = nullptr;
    int64_t latestThread = 0;
    const auto starts = process.ops.cells<&OpRow::startNs>();
    const auto ends = process.ops.cells<&OpRow::endNs>();
    const auto threads = process.ops.cells<&OpRow::thread>();
    for (size_t i = 0; i < process.ops.size(); ++i) {
      if (!exists(process.opPieces[i])) continue;
      if (list == nullptr || threads[i] != latestThread) {
        latestThread = threads[i];
        list = &byThread[latestThread];
      }
      list->push_back({starts[i], ends[i], static_cast<OpIndex>(i)});
    }
    for (auto& [thread, ops] : byThread) addOpsOfThread(laneOf(index, thread), process, ops);
  }

  template <class Index, class Row>
  void addRows(const Rows<Index, Row>& rows, std::vector<Index> Lane::*list) {
    for (size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[rows.indexAt(i)];
      Lane& lane = laneOf(row.process, row.thread);
      (lane.*list).push_back(rows.indexAt(i));
      int64_t& first = firstNs_[{row.process, row.thread}];
      first = std::min(first, row.startNs);
    }
  }

  void nameThreads() {
    for (size_t p = 0; p < run_.processes.size(); ++p) {
      const ProcessIndex process = run_.processes.indexAt(p);
      for (const trace::ThreadRow& row : run_.processes[process].rows<trace::ThreadRow>()) {
        const auto lane = lanes_.find({process, row.thread});
        if (lane != lanes_.end()) lane->second.name = row.name;
      }
    }
  }

  std::vector<Lane> take() {
    std::vector<std::pair<int64_t, Lane>> ordered;
    for (auto& [key, lane] : lanes_) ordered.emplace_back(firstNs_[key], std::move(lane));
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.process, a.first) < std::pair(b.second.process, b.first);
    });
    std::vector<Lane> result;
    result.reserve(ordered.size());
    for (auto& [firstNs, lane] : ordered) result.push_back(std::move(lane));
    return result;
  }

 private:
  Lane& laneOf(ProcessIndex process, int64_t thread) {
    const auto [entry, isNew] = lanes_.try_emplace({process, thread});
    if (isNew) {
      entry->second.process = process;
      entry->second.thread = thread;
      firstNs_[{process, thread}] = std::numeric_limits<int64_t>::max();
    }
    return entry->second;
  }

  void addOpsOfThread(Lane& lane, const Process& process, std::vector<OrderedOp>& ops) {
    if (!std::is_sorted(ops.begin(), ops.end(), isEarlierOp)) {
      std::sort(ops.begin(), ops.end(), isEarlierOp);
    }
    lane.ops.reserve(ops.size());
    std::vector<OrderedOp> open;
    for (const OrderedOp& op : ops) {
      while (!open.empty() && open.back().endNs <= op.startNs) open.pop_back();
      const OpIndex parent = open.empty() ? OpIndex::kNone : open.back().op;
      countInCall(process, op, parent);
      open.push_back(op);
      lane.opDepth = std::max(lane.opDepth, static_cast<int64_t>(open.size()));
      lane.ops.push_back(op.op);
    }
    int64_t& first = firstNs_[{lane.process, lane.thread}];
    first = std::min(first, ops.front().startNs);
  }

  /// Counts an operator in its call unless an operator of the same call is around it.
  void countInCall(const Process& process, const OrderedOp& op, OpIndex parent) {
    const Piece& piece = process.pieceOf(op.op);
    if (!exists(piece.call)) return;
    if (exists(parent) && process.pieceOf(parent).call == piece.call) return;
    Call& call = run_.calls[piece.call];
    ++call.opCount;
    call.opNs += op.endNs - op.startNs;
    if (exists(piece.region)) ++call.compiledOpCount;
  }

  Run& run_;
  std::map<LaneKey, Lane> lanes_;
  std::map<LaneKey, int64_t> firstNs_;
};

/// Adds what calls inside calls did to those around them.
void addToParents(Run& run) {
  for (const Region& region : run.regions) {
    if (exists(region.call)) run.calls[region.call].regionNs += region.endNs - region.startNs;
  }
  for (size_t i = run.calls.size(); i-- > 0;) {
    const Call& call = run.calls[run.calls.indexAt(i)];
    if (!exists(call.parent)) continue;
    Call& parent = run.calls[call.parent];
    parent.opCount += call.opCount;
    parent.opNs += call.opNs;
    parent.compiledOpCount += call.compiledOpCount;
    parent.regionNs += call.regionNs;
  }
}

}  // namespace

std::vector<int64_t> opThreads(const Process& process) {
  std::set<int64_t> threads;
  int64_t latest = 0;
  for (const int64_t thread : process.ops.cells<&OpRow::thread>()) {
    if (threads.empty() || thread != latest) threads.insert(thread);
    latest = thread;
  }
  return {threads.begin(), threads.end()};
}

void placeOps(Process& process, LossLedger& losses) {
  const auto starts = process.ops.cells<&OpRow::startNs>();
  const auto ends = process.ops.cells<&OpRow::endNs>();
  const auto threads = process.ops.cells<&OpRow::thread>();
  PieceFinder finder(process.pieces);
  process.opPieces.resize(process.ops.size(), PieceIndex::kNone);
  for (size_t i = 0; i < process.ops.size(); ++i) {
    if (isValidSpan(starts[i], ends[i]))
      process.opPieces[i] = finder.find(threads[i], starts[i]);
    else
      losses.addOutOfRange(process, OpRow::kName);
  }
}

void buildLanes(Run& run) {
  LaneBuilder builder(run);
  for (size_t p = 0; p < run.processes.size(); ++p) builder.addOps(run.processes.indexAt(p));
  builder.addRows(run.calls, &Lane::calls);
  builder.addRows(run.regions, &Lane::regions);
  builder.addRows(run.breaks, &Lane::breaks);
  builder.addRows(run.compiles, &Lane::compiles);
  builder.nameThreads();
  run.lanes = builder.take();
  addToParents(run);
}

}  // namespace jitscope::analyzer
