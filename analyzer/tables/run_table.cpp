#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {

RunTable::RunTable(const Run& run, const trace::TableDescription& table)
    : run_(&run), table_(&table) {
  for (const Process& process : run.processes) {
    Part& part = parts_.emplace_back();
    part.rows = process.file->rowCount(table.id);
    for (size_t i = 0; i < table.columns.size(); ++i)
      part.columns.push_back(process.file->column(table.id, i));
  }
}

size_t RunTable::rowCount() const {
  size_t count = 0;
  for (const Part& part : parts_) count += part.rows;
  return count;
}

std::string_view RunTable::columnName(size_t column) const {
  return column == 0 ? std::string_view("process") : table_->columns[column - 1].name;
}

trace::ColumnType RunTable::columnType(size_t column) const {
  return column == 0 ? trace::ColumnType::kInteger : table_->columns[column - 1].type;
}

RunTable::Cell RunTable::at(Row row, size_t column) const {
  if (column == 0) return static_cast<int64_t>(row.part);
  const int64_t cell = parts_[row.part].columns[column - 1][row.row];
  switch (columnType(column)) {
    case trace::ColumnType::kReal:
      return trace::fromCell<double>(cell);
    case trace::ColumnType::kText: {
      const Process& process = run_->processes[run_->processes.indexAt(row.part)];
      return run_->text(toRunText(*process.texts, trace::fromCell<trace::StringId>(cell)));
    }
    case trace::ColumnType::kInteger:
      break;
  }
  return cell;
}

RunTable::Row RunTable::skipEmpty(Row row) const {
  while (row.part < parts_.size() && row.row >= parts_[row.part].rows) row = {row.part + 1, 0};
  return row;
}

std::vector<RunTable> runTables(const Run& run) {
  std::vector<RunTable> tables;
  for (const trace::TableDescription& table : trace::knownTables()) tables.emplace_back(run, table);
  return tables;
}

}  // namespace jitscope::analyzer
