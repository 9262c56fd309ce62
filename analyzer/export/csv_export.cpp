#include "analyzer/export/csv_export.h"

#include <fmt/format.h>

#include "analyzer/export/new_folder.h"
#include "analyzer/export/output_file.h"
#include "analyzer/tables/csv.h"
#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {
namespace {

void appendCell(std::string& line, const RunTable::Cell& cell) {
  if (const auto* text = std::get_if<std::string_view>(&cell))
    appendCsvCell(line, *text);
  else if (const auto* real = std::get_if<double>(&cell))
    line += fmt::format("{}", *real);
  else
    line += fmt::format("{}", std::get<int64_t>(cell));
}

trace::Result<void> writeTable(const RunTable& table, const std::filesystem::path& path) {
  trace::Result<OutputFile> file = OutputFile::create(path);
  if (!file) return file.error();
  constexpr size_t kFull = 1 << 20;
  std::string lines;
  for (size_t column = 0; column < table.columnCount(); ++column) {
    if (column > 0) lines += ',';
    lines += table.columnName(column);
  }
  lines += '\n';
  for (auto row = table.first(); !table.isEnd(row); row = table.next(row)) {
    for (size_t column = 0; column < table.columnCount(); ++column) {
      if (column > 0) lines += ',';
      appendCell(lines, table.at(row, column));
    }
    lines += '\n';
    if (lines.size() < kFull) continue;
    file->write(lines);
    lines.clear();
  }
  file->write(lines);
  return file->close();
}

}  // namespace

trace::Result<void> exportCsv(const Run& run, const std::filesystem::path& target) {
  return writeFolder(target, [&](const std::filesystem::path& folder) {
    for (const RunTable& table : runTables(run)) {
      if (table.rowCount() == 0) continue;
      const std::string name = fmt::format("{}.csv", table.name());
      const trace::Result<void> written = writeTable(table, folder / name);
      if (!written) return trace::Result<void>(written.error().within(name));
    }
    return trace::Result<void>();
  });
}

}  // namespace jitscope::analyzer
