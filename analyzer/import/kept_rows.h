#pragma once

#include <set>
#include <string_view>

#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// Takes back the rows that our own export has put into the metadata of a Chrome trace
/// (`jitscope_row`). For one thread.
class KeptRows {
 public:
  /// Writes the row into `trace`. False when `cells` is no list, or `table` none of ours. Cells
  /// that are absent or of another type than the column are the schema's defaults.
  bool take(std::string_view table, std::string_view cells, trace::MemoryTrace& trace);

  /// Whether rows of a table were taken: then it is not made up of other events.
  bool has(trace::TableId table) const { return tables_.contains(table); }

 private:
  std::set<trace::TableId> tables_;
};

}  // namespace jitscope::analyzer
