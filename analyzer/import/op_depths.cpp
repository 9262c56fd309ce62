#include "analyzer/import/op_depths.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "trace/column_index.h"

namespace jitscope::analyzer {

using trace::columnIndex;
using trace::OpRow;

void fillDepths(trace::MemoryTrace& trace) {
  const size_t rows = trace.rowCount(OpRow::kTable);
  if (rows == 0) return;
  const auto starts = trace.cells(OpRow::kTable, columnIndex<&OpRow::startNs, OpRow>());
  const auto ends = trace.cells(OpRow::kTable, columnIndex<&OpRow::endNs, OpRow>());
  const auto threads = trace.cells(OpRow::kTable, columnIndex<&OpRow::thread, OpRow>());
  const auto depths = trace.cells(OpRow::kTable, columnIndex<&OpRow::depth, OpRow>());
  const auto isEarlier = [&](uint32_t a, uint32_t b) {
    if (starts[a] != starts[b]) return starts[a] < starts[b];
    return ends[a] > ends[b];
  };
  std::unordered_map<int64_t, std::vector<uint32_t>> byThread;
  std::vector<uint32_t>* list = nullptr;
  for (size_t i = 0; i < rows; ++i) {
    if (list == nullptr || threads[i] != threads[i - 1]) list = &byThread[threads[i]];
    list->push_back(static_cast<uint32_t>(i));
  }
  std::vector<int64_t> open;
  for (auto& [thread, ops] : byThread) {
    if (!std::is_sorted(ops.begin(), ops.end(), isEarlier)) {
      std::sort(ops.begin(), ops.end(), isEarlier);
    }
    open.clear();
    for (const uint32_t op : ops) {
      while (!open.empty() && open.back() <= starts[op]) open.pop_back();
      depths[op] = static_cast<int64_t>(open.size());
      open.push_back(ends[op]);
    }
  }
}

}  // namespace jitscope::analyzer
