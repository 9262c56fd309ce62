#include "analyzer/sqlite/column_definitions.h"

#include <fmt/format.h>

namespace jitscope::analyzer {
namespace {

std::string_view typeName(trace::ColumnType type) {
  switch (type) {
    case trace::ColumnType::kInteger:
      return "INTEGER";
    case trace::ColumnType::kReal:
      return "REAL";
    case trace::ColumnType::kText:
      break;
  }
  return "TEXT";
}

}  // namespace

std::string columnDefinitions(const RunTable& table) {
  std::string columns;
  for (size_t i = 0; i < table.columnCount(); ++i) {
    columns += fmt::format("{}\"{}\" {}", i == 0 ? "" : ", ", table.columnName(i),
                           typeName(table.columnType(i)));
  }
  return columns;
}

}  // namespace jitscope::analyzer
