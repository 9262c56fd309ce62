#pragma once

#include <arrow/array/builder_base.h>
#include <arrow/result.h>
#include <arrow/type_fwd.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analyzer/parquet/row_source.h"

namespace jitscope::analyzer {

/// Rows that are written together, gathered as columns. Bounds what writing holds in memory.
class RowGroup {
 public:
  /// The type of a column in Arrow: text is a dictionary of UTF-8, and everything else 64 bits.
  static std::shared_ptr<arrow::DataType> arrowType(trace::ColumnType type);

  explicit RowGroup(std::span<const RowSource::Column> columns);

  /// Adds the row at which `rows` stands.
  arrow::Status append(const RowSource& rows);

  /// Whether it shall get no further row.
  bool isFull() const;

  /// The columns, whose types are those of `arrowType`. Nothing may be added afterwards.
  arrow::Result<arrow::ArrayVector> finish();

 private:
  arrow::Status appendText(arrow::ArrayBuilder& builder, std::string_view text);

  std::vector<trace::ColumnType> types_;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders_;
  int64_t rowCount_ = 0;
  int64_t textBytes_ = 0;  ///< of the texts in all dictionaries
};

}  // namespace jitscope::analyzer
