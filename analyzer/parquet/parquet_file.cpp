#include "analyzer/parquet/parquet_file.h"

#include <arrow/io/file.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include "analyzer/parquet/row_group.h"

namespace jitscope::analyzer {
namespace {

std::shared_ptr<arrow::Schema> schemaOf(const RowSource& rows) {
  arrow::FieldVector fields;
  for (const RowSource::Column& column : rows.columns()) {
    fields.push_back(arrow::field(std::string(column.name), RowGroup::arrowType(column.type),
                                  /*nullable=*/false));
  }
  return arrow::schema(fields);
}

arrow::Status writeRows(RowSource& rows, const std::shared_ptr<arrow::Schema>& schema,
                        parquet::arrow::FileWriter& writer) {
  bool isMore = rows.next();
  while (isMore) {
    RowGroup group(rows.columns());
    while (isMore && !group.isFull()) {
      ARROW_RETURN_NOT_OK(group.append(rows));
      isMore = rows.next();
    }
    ARROW_ASSIGN_OR_RAISE(const arrow::ArrayVector columns, group.finish());
    const auto table = arrow::Table::Make(schema, columns);
    ARROW_RETURN_NOT_OK(writer.WriteTable(*table, table->num_rows()));
  }
  return arrow::Status::OK();
}

}  // namespace

arrow::Status writeParquetFile(RowSource& rows, const std::string& path) {
  ARROW_ASSIGN_OR_RAISE(const auto file, arrow::io::FileOutputStream::Open(path));
  const auto properties =
      parquet::WriterProperties::Builder().compression(parquet::Compression::ZSTD)->build();
  const std::shared_ptr<arrow::Schema> schema = schemaOf(rows);
  ARROW_ASSIGN_OR_RAISE(
      const auto writer,
      parquet::arrow::FileWriter::Open(*schema, arrow::default_memory_pool(), file, properties));
  ARROW_RETURN_NOT_OK(writeRows(rows, schema, *writer));
  ARROW_RETURN_NOT_OK(writer->Close());
  return file->Close();
}

}  // namespace jitscope::analyzer
