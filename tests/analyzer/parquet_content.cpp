#include "tests/analyzer/parquet_content.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_primitive.h>
#include <arrow/io/file.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include <stdexcept>

namespace jitscope::tests {
namespace {

template <class T>
T valueOf(arrow::Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().ToString());
  return std::move(result).ValueUnsafe();
}

}  // namespace

ParquetContent::ParquetContent(std::shared_ptr<arrow::Table> table,
                               std::shared_ptr<parquet::FileMetaData> metadata)
    : table_(std::move(table)), metadata_(std::move(metadata)) {}

size_t ParquetContent::rowCount() const { return static_cast<size_t>(table_->num_rows()); }

std::vector<std::string> ParquetContent::columnNames() const { return table_->ColumnNames(); }

std::string ParquetContent::schemaText() const {
  std::string text;
  for (const auto& field : table_->schema()->fields())
    text += (text.empty() ? "" : ", ") + field->ToString();
  return text;
}

std::vector<size_t> ParquetContent::rowGroupSizes() const {
  std::vector<size_t> sizes;
  for (int i = 0; i < metadata_->num_row_groups(); ++i)
    sizes.push_back(static_cast<size_t>(metadata_->RowGroup(i)->num_rows()));
  return sizes;
}

bool ParquetContent::hasDictionary(size_t column) const {
  for (int i = 0; i < metadata_->num_row_groups(); ++i) {
    const auto group = metadata_->RowGroup(i);
    if (!group->ColumnChunk(static_cast<int>(column))->has_dictionary_page()) return false;
  }
  return metadata_->num_row_groups() > 0;
}

analyzer::RunTable::Cell ParquetContent::at(size_t row, size_t column) const {
  auto left = static_cast<int64_t>(row);
  for (const auto& chunk : table_->column(static_cast<int>(column))->chunks()) {
    if (left >= chunk->length()) {
      left -= chunk->length();
      continue;
    }
    if (chunk->IsNull(left)) throw std::runtime_error("a null");
    if (const auto* integers = dynamic_cast<const arrow::Int64Array*>(chunk.get()))
      return integers->Value(left);
    if (const auto* reals = dynamic_cast<const arrow::DoubleArray*>(chunk.get()))
      return reals->Value(left);
    if (const auto* texts = dynamic_cast<const arrow::StringArray*>(chunk.get()))
      return texts->GetView(left);
    throw std::runtime_error("a column of type " + chunk->type()->ToString());
  }
  throw std::runtime_error("no row " + std::to_string(row));
}

ParquetContent readParquet(const std::filesystem::path& path) {
  auto file = valueOf(arrow::io::ReadableFile::Open(path.string()));
  auto reader = valueOf(parquet::arrow::OpenFile(file, arrow::default_memory_pool()));
  auto table = valueOf(reader->ReadTable());
  return {std::move(table), reader->parquet_reader()->metadata()};
}

}  // namespace jitscope::tests
