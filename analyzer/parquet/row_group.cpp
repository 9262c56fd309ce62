#include "analyzer/parquet/row_group.h"

#include <arrow/array/array_binary.h>
#include <arrow/array/array_dict.h>
#include <arrow/array/builder_dict.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/type.h>

#include <string>

#include "analyzer/parquet/utf8_text.h"

namespace jitscope::analyzer {
namespace {

using trace::ColumnType;

constexpr int64_t kMostRows = 1 << 17;
// Of texts that are each large (generated code) far fewer rows make a group.
constexpr int64_t kMostTextBytes = 64 << 20;

std::unique_ptr<arrow::ArrayBuilder> makeBuilder(ColumnType type) {
  switch (type) {
    case ColumnType::kReal:
      return std::make_unique<arrow::DoubleBuilder>();
    case ColumnType::kText:
      return std::make_unique<arrow::StringDictionary32Builder>();
    case ColumnType::kInteger:
      break;
  }
  return std::make_unique<arrow::Int64Builder>();
}

/// The text column `column` in UTF-8. Nearly all are already, so a text is looked at once for all
/// its rows.
arrow::Result<std::shared_ptr<arrow::Array>> withUtf8(std::shared_ptr<arrow::Array> column) {
  const auto& rows = static_cast<const arrow::DictionaryArray&>(*column);
  const auto& texts = static_cast<const arrow::StringArray&>(*rows.dictionary());
  if (texts.ValidateUTF8().ok()) return column;
  std::vector<std::string> valid;
  for (int64_t i = 0; i < texts.length(); ++i) valid.push_back(toUtf8(texts.GetView(i)));
  arrow::StringDictionary32Builder builder;  // two texts may have become the same one
  for (int64_t row = 0; row < rows.length(); ++row)
    ARROW_RETURN_NOT_OK(builder.Append(valid[static_cast<size_t>(rows.GetValueIndex(row))]));
  return builder.Finish();
}

}  // namespace

std::shared_ptr<arrow::DataType> RowGroup::arrowType(ColumnType type) {
  return makeBuilder(type)->type();
}

RowGroup::RowGroup(std::span<const RowSource::Column> columns) {
  for (const RowSource::Column& column : columns) {
    types_.push_back(column.type);
    builders_.push_back(makeBuilder(column.type));
  }
}

arrow::Status RowGroup::append(const RowSource& rows) {
  for (size_t i = 0; i < builders_.size(); ++i) {
    const RunTable::Cell cell = rows.at(i);
    arrow::ArrayBuilder& builder = *builders_[i];
    if (types_[i] == ColumnType::kText) {
      ARROW_RETURN_NOT_OK(appendText(builder, std::get<std::string_view>(cell)));
    } else if (types_[i] == ColumnType::kReal) {
      ARROW_RETURN_NOT_OK(
          static_cast<arrow::DoubleBuilder&>(builder).Append(std::get<double>(cell)));
    } else {
      ARROW_RETURN_NOT_OK(
          static_cast<arrow::Int64Builder&>(builder).Append(std::get<int64_t>(cell)));
    }
  }
  ++rowCount_;
  return arrow::Status::OK();
}

arrow::Status RowGroup::appendText(arrow::ArrayBuilder& builder, std::string_view text) {
  auto& texts = static_cast<arrow::StringDictionary32Builder&>(builder);
  const int64_t before = texts.dictionary_length();
  ARROW_RETURN_NOT_OK(texts.Append(text));
  if (texts.dictionary_length() > before) textBytes_ += static_cast<int64_t>(text.size());
  return arrow::Status::OK();
}

bool RowGroup::isFull() const { return rowCount_ >= kMostRows || textBytes_ >= kMostTextBytes; }

arrow::Result<arrow::ArrayVector> RowGroup::finish() {
  arrow::ArrayVector columns;
  for (size_t i = 0; i < builders_.size(); ++i) {
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Array> column, builders_[i]->Finish());
    if (types_[i] == ColumnType::kText) {
      ARROW_ASSIGN_OR_RAISE(column, withUtf8(std::move(column)));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace jitscope::analyzer
