#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "analyzer/run.h"
#include "trace/tables.h"

namespace jitscope::analyzer {

/// One table of trace/schema.h over all processes of a run, left where it is: nothing is copied.
/// Its first column, `process`, is the position of the process in the run; then come the table's
/// own.
class RunTable {
 public:
  using Cell = std::variant<int64_t, double, std::string_view>;

  /// A row of one process.
  struct Row {
    size_t part = 0, row = 0;
  };

  /// `run` must outlive this.
  RunTable(const Run& run, const trace::TableDescription& table);

  std::string_view name() const { return table_->name; }
  size_t rowCount() const;

  /// How many rows one process has, by its position in the run.
  size_t rowCountOf(size_t part) const { return parts_[part].rows; }

  size_t columnCount() const { return table_->columns.size() + 1; }
  std::string_view columnName(size_t column) const;
  trace::ColumnType columnType(size_t column) const;

  /// The first row, and the one behind a row; walk until `isEnd`.
  Row first() const { return skipEmpty({0, 0}); }
  Row next(Row row) const { return skipEmpty({row.part, row.row + 1}); }
  bool isEnd(Row row) const { return row.part == parts_.size(); }

  Cell at(Row row, size_t column) const;

 private:
  /// The rows of one process.
  struct Part {
    size_t rows = 0;
    std::vector<std::span<const int64_t>> columns;
  };

  Row skipEmpty(Row row) const;

  const Run* run_;
  const trace::TableDescription* table_;
  std::vector<Part> parts_;  ///< one for each process, in their order
};

/// All tables, in the order of the schema.
std::vector<RunTable> runTables(const Run& run);

}  // namespace jitscope::analyzer
