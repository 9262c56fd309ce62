#include "trace/tables.h"

#include <type_traits>

#include "trace/sink.h"

namespace jitscope::trace {
namespace {

template <class Field>
constexpr ColumnType columnType() {
  if constexpr (std::is_same_v<Field, StringId>) return ColumnType::kText;
  if constexpr (std::is_same_v<Field, double>) return ColumnType::kReal;
  return ColumnType::kInteger;
}

std::vector<TableDescription> describeAll() {
  std::vector<TableDescription> tables;
  forEachTable([&]<class Row>() {
    TableDescription& table = tables.emplace_back(TableDescription{Row::kTable, Row::kName, {}});
    const Row defaults{};
    Row::columns([&](const char* name, auto member) {
      using Field = std::remove_cvref_t<decltype(defaults.*member)>;
      table.columns.push_back({name, columnType<Field>(), toCell(defaults.*member)});
    });
  });
  return tables;
}

}  // namespace

const std::vector<TableDescription>& knownTables() {
  // Never destroyed: threads may still write while the process runs its static destructors.
  static const auto* const tables = new std::vector<TableDescription>(describeAll());
  return *tables;
}

bool isTimeColumn(std::string_view column) {
  return column == "start_ns" || column == "end_ns" || column == "time_ns" ||
         column == "trigger_ns";
}

const TableDescription* knownTable(TableId id) {
  // Ids count from 1 without gaps, as schema.h lists them.
  const auto position = static_cast<size_t>(id) - 1;
  return position < knownTables().size() ? &knownTables()[position] : nullptr;
}

}  // namespace jitscope::trace
