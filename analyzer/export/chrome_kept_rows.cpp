#include "analyzer/export/chrome_kept_rows.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

#include "analyzer/export/json_texts.h"
#include "analyzer/tables/run_table.h"
#include "trace/tables.h"

namespace jitscope::analyzer {
namespace {

using trace::TableId;

constexpr std::array kKept{
    TableId::kFrame,          TableId::kCompile,      TableId::kGraphBreak,
    TableId::kGuard,          TableId::kGuardFailure, TableId::kCall,
    TableId::kGraphLaunch,    TableId::kCounter,      TableId::kArtifact,
    TableId::kSpecialization, TableId::kGraphNode,    TableId::kRecordedWindow};

std::string cellJson(const RunTable::Cell& cell, bool isTimeCell, int64_t baseNs) {
  if (const auto* const text = std::get_if<std::string_view>(&cell)) return jsonString(*text);
  if (const auto* const real = std::get_if<double>(&cell))
    return std::isfinite(*real) ? fmt::format("{}", *real) : "null";
  const auto number = static_cast<uint64_t>(std::get<int64_t>(cell));
  // Unsigned: what a hostile recording holds may wrap around, and wraps back when it is read.
  const uint64_t written = isTimeCell ? number - static_cast<uint64_t>(baseNs) : number;
  return fmt::format("{}", static_cast<int64_t>(written));
}

void writeTable(const Run& run, const RunTable& table, ChromeWriter& writer) {
  const int64_t pid = writer.processId(run.processes.indexAt(0));
  for (auto row = table.first(); !table.isEnd(row); row = table.next(row)) {
    std::string cells;
    for (size_t column = 1; column < table.columnCount(); ++column) {  // 0 is the process
      if (column > 1) cells += ", ";
      cells += cellJson(table.at(row, column), trace::isTimeColumn(table.columnName(column)),
                        writer.baseNs());
    }
    writer.event(
        fmt::format("\"ph\": \"M\", \"name\": \"jitscope_row\", \"pid\": {}, \"tid\": 0, "
                    "\"args\": {{\"table\": \"{}\", \"cells\": [{}]}}",
                    pid, table.name(), cells));
  }
}

}  // namespace

void writeKeptRows(const Run& run, ChromeWriter& writer) {
  if (run.processes.size() != 1) return;
  for (const TableId table : kKept)
    writeTable(run, RunTable(run, *trace::knownTable(table)), writer);
}

}  // namespace jitscope::analyzer
