#include "trace/recorded_windows.h"

#include <map>

#include "trace/amount.h"

namespace jitscope::trace {

std::optional<RecordedWindows> recordedWindows(const TraceFile& file) {
  if (file.rowCount(TableId::kRecordedWindow) == 0) return std::nullopt;
  RecordedWindows result;
  std::map<int64_t, RecordedWindowRow> byNumber;
  for (const RecordedWindowRow& row : file.rows<RecordedWindowRow>()) {
    if (row.window <= 0) {
      result.wish = file.text(row.reason);
      continue;
    }
    RecordedWindowRow& known = byNumber.try_emplace(row.window, row).first->second;
    // The threads of the process wrote them, so the last may stand first.
    if (row.endNs != 0) known = row;
  }
  for (const auto& [number, row] : byNumber) {
    result.windows.push_back(row);
    if (row.endNs <= row.startNs || row.startNs <= 0) continue;
    result.totalNs = sumOfAmounts(result.totalNs, row.endNs - row.startNs);
  }
  return result;
}

}  // namespace jitscope::trace
