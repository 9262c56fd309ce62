#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/schema.h"

namespace jitscope::trace {

/// How the cells of a column are to be read.
enum class ColumnType : uint8_t {
  kInteger,  ///< signed 64 bits: numbers, times, ids
  kReal,     ///< the bits of a double
  kText,     ///< a StringId
};

/// One column: what a cell means, and what it is when a file does not have it.
struct ColumnDescription {
  std::string name;
  ColumnType type = ColumnType::kInteger;
  int64_t defaultCell = 0;
};

/// One table, known to this version or found in a file. A column's position is its id.
struct TableDescription {
  TableId id{};
  std::string name;
  std::vector<ColumnDescription> columns;
};

/// All tables of schema.h, in the order of TableId. Built once, never changes.
const std::vector<TableDescription>& knownTables();

/// Whether the cells of a column are moments in nanoseconds, which move with the clock of their
/// recording; durations do not.
bool isTimeColumn(std::string_view column);

/// The table of `id` in schema.h; null when this version has none.
const TableDescription* knownTable(TableId id);

}  // namespace jitscope::trace
