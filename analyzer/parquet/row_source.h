#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "analyzer/tables/run_table.h"
#include "trace/tables.h"

namespace jitscope::analyzer {

/// The rows of one Parquet file, given from front to back. For one thread.
class RowSource {
 public:
  /// A column of the file. The name must outlive the source.
  struct Column {
    std::string_view name;
    trace::ColumnType type = trace::ColumnType::kInteger;
  };

  virtual ~RowSource() = default;

  /// The columns, the same for every row.
  virtual std::span<const Column> columns() const = 0;

  /// Steps to the next row, the first time to the first one; false when there is none.
  virtual bool next() = 0;

  /// A cell of the row, of its column's type. Text may be any bytes, and must stay until `next`.
  virtual RunTable::Cell at(size_t column) const = 0;
};

}  // namespace jitscope::analyzer
