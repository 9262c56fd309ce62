#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analyzer/tables/run_table.h"

namespace arrow {
class Table;
}
namespace parquet {
class FileMetaData;
}

namespace jitscope::tests {

/// What a Parquet file holds, as Arrow reads it. Throws std::runtime_error where it is not as
/// jitscope writes it.
class ParquetContent {
 public:
  ParquetContent(std::shared_ptr<arrow::Table> table,
                 std::shared_ptr<parquet::FileMetaData> metadata);

  size_t rowCount() const;
  std::vector<std::string> columnNames() const;
  std::string schemaText() const;  ///< "name: type, …"
  std::vector<size_t> rowGroupSizes() const;

  /// Whether a column has a page with its distinct texts in all row groups.
  bool hasDictionary(size_t column) const;

  /// A cell. Text stays as long as this object.
  analyzer::RunTable::Cell at(size_t row, size_t column) const;

 private:
  std::shared_ptr<arrow::Table> table_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
};

/// Reads all of a file.
ParquetContent readParquet(const std::filesystem::path& path);

}  // namespace jitscope::tests
