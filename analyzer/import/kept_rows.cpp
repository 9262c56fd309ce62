#include "analyzer/import/kept_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trace/sink.h"
#include "trace/tables.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::json;

const trace::TableDescription* findTable(std::string_view name) {
  const std::vector<trace::TableDescription>& known = trace::knownTables();
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const auto& table) { return table.name == name; });
  return found == known.end() ? nullptr : &*found;
}

int64_t cellOf(const Json& value, const trace::ColumnDescription& column,
               trace::MemoryTrace& trace) {
  switch (column.type) {
    case trace::ColumnType::kText:
      if (value.is_string()) return trace::toCell(trace.intern(value.get<std::string>()));
      break;
    case trace::ColumnType::kReal:
      if (value.is_number()) return trace::toCell(value.get<double>());
      break;
    case trace::ColumnType::kInteger:
      if (value.is_number_integer()) return value.get<int64_t>();
      break;
  }
  return column.defaultCell;
}

}  // namespace

bool KeptRows::take(std::string_view table, std::string_view cells, trace::MemoryTrace& trace) {
  const trace::TableDescription* const description = findTable(table);
  const Json list = Json::parse(cells, nullptr, false);
  if (description == nullptr || !list.is_array()) return false;
  std::vector<int64_t> row;
  for (size_t i = 0; i < description->columns.size(); ++i) {
    const trace::ColumnDescription& column = description->columns[i];
    row.push_back(i < list.size() ? cellOf(list[i], column, trace) : column.defaultCell);
  }
  trace.write(description->id, row);
  tables_.insert(description->id);
  return true;
}

}  // namespace jitscope::analyzer
