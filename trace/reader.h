#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/result.h"
#include "trace/schema.h"
#include "trace/sink.h"
#include "trace/tables.h"

namespace jitscope::trace {

namespace read {
class TraceContent;
}

/// What a reader had to leave out of one file, and where.
struct ReadLoss {
  LossKind kind = LossKind::kDropped;
  std::string place;   ///< e.g. "offset 8192: chunk 7 (kernel)"
  std::string text;    ///< what was wrong: "bad checksum", "cut short", "unknown table 93"
  int64_t amount = 0;  ///< rows, or bytes where rows cannot be known
};

/// One trace file, all of it that can be read, or rows that a MemoryTrace gathered. Cheap to copy:
/// copies share the loaded data, which never changes, so any number of threads may read.
class TraceFile {
 public:
  /// Shows what was loaded otherwise than from a trace file.
  explicit TraceFile(std::shared_ptr<const read::TraceContent> content);

  /// Opens `path`. Damage inside the file is no error: what stands before and after it is read and
  /// the rest is counted in `losses()`. An error means that nothing can be read at all: absent,
  /// unreadable, empty, not a trace, or of a newer major version.
  static Result<TraceFile> open(const std::filesystem::path& path);

  const std::filesystem::path& path() const;

  /// How many rows `table` has.
  size_t rowCount(TableId table) const;

  /// One column of a table by its position in the schema, one cell per row; empty when the table
  /// has no rows. Reals are cells by their bits (`fromCell<double>`). A column that the file does
  /// not have reads as the schema's default. Valid as long as any copy of this TraceFile lives.
  std::span<const int64_t> column(TableId table, size_t index) const;

  /// All rows of the table of `Row`, in file order (per thread in time order, not over threads).
  template <class Row>
  std::vector<Row> rows() const {
    std::vector<Row> result(rowCount(Row::kTable));
    size_t next = 0;
    Row::columns([&](const char*, auto member) {
      const std::span<const int64_t> cells = column(Row::kTable, next++);
      for (size_t i = 0; i < cells.size(); ++i) {
        using Field = std::remove_reference_t<decltype(result[i].*member)>;
        result[i].*member = fromCell<Field>(cells[i]);
      }
    });
    return result;
  }

  /// Every table that the file has rows of or describes: those of the schema with the schema's
  /// columns first and then columns that this version does not know, and tables that it does not
  /// know at all. The positions are those that `column` takes, with the table's id.
  const std::vector<TableDescription>& tables() const;

  /// The text of `id`; empty for an id that the file does not define. Valid as `column` is.
  std::string_view text(StringId id) const;

  /// One more than the largest StringId.
  size_t stringCount() const;

  /// What could not be read. Losses that the recorder itself reported are rows of LossRow.
  const std::vector<ReadLoss>& losses() const;

  /// False when the file has no index at its end: its process was killed, or still writes.
  bool isComplete() const;

 private:
  std::shared_ptr<const read::TraceContent> content_;
};

/// All trace files of one run.
struct Recording {
  std::vector<TraceFile> files;  ///< ordered by path
  /// Files of the folder that could not be read: `PATH: what: where`.
  std::vector<std::string> problems;

  /// Opens a trace file, or a folder as one run (every `*.jitscope` in it, not in folders below).
  /// An error when there is nothing to read: `PATH: what: where`.
  static Result<Recording> open(const std::filesystem::path& path);
};

}  // namespace jitscope::trace
