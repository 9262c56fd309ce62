#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "trace/format/block_decoder.h"
#include "trace/read/cell_array.h"
#include "trace/read/chunk_scanner.h"
#include "trace/read/file_bytes.h"
#include "trace/tables.h"

namespace jitscope::trace::read {

/// One table of a file: where its chunks are, and its columns, each unpacked when first asked for.
/// Filled by one thread, then read by any number.
class TableStore {
 public:
  /// `described` is what the file says of the table, or the schema's word when the file says
  /// nothing.
  explicit TableStore(TableDescription described);

  /// The schema's columns, then those that only the file knows.
  const TableDescription& description() const { return description_; }

  /// How many of the columns the schema knows; 0 for a table that it does not know.
  size_t knownColumns() const { return knownColumns_; }

  size_t rowCount() const { return rowCount_; }

  /// Adds a chunk whose blocks have been checked.
  void add(const ChunkPlace& place);

  /// All cells of one column; empty when there are no rows or no such column. `constants` must live
  /// as long as the result is used.
  std::span<const int64_t> column(const FileBytes& bytes, ConstantCells& constants,
                                  size_t index) const;

 private:
  struct Part {
    ChunkPlace place;
    size_t firstRow = 0;
  };
  struct Column {
    int fileColumn = -1;  ///< -1: the file does not have it
    std::once_flag unpacked;
    CellArray own;  ///< empty when all cells are the same
    std::span<const int64_t> cells;
  };
  class PartReader;

  void unpack(const FileBytes& bytes, ConstantCells& constants, Column& column,
              int64_t defaultCell) const;
  std::optional<int64_t> constantOf(PartReader& reader, const Column& column,
                                    int64_t defaultCell) const;

  TableDescription description_;
  size_t knownColumns_ = 0;
  size_t rowCount_ = 0;
  std::vector<Part> parts_;
  std::unique_ptr<Column[]> columns_;
};

}  // namespace jitscope::trace::read
