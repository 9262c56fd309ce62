#include "analyzer/export/sqlite_export.h"

#include <fmt/format.h>

#include <system_error>

#include "analyzer/export/unfinished_target.h"
#include "analyzer/sqlite/column_definitions.h"
#include "analyzer/sqlite/database.h"
#include "analyzer/sqlite/statement.h"
#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {
namespace {

std::string createStatement(const RunTable& table) {
  return fmt::format("CREATE TABLE \"{}\" ({})", table.name(), columnDefinitions(table));
}

std::string insertStatement(const RunTable& table) {
  std::string marks = "?";
  for (size_t i = 1; i < table.columnCount(); ++i) marks += ", ?";
  return fmt::format("INSERT INTO \"{}\" VALUES ({})", table.name(), marks);
}

trace::Result<void> writeTable(Database& database, const RunTable& table) {
  if (trace::Result<void> made = database.run(createStatement(table)); !made) return made;
  trace::Result<Statement> insert = database.prepare(insertStatement(table));
  if (!insert) return insert.error();
  for (auto row = table.first(); !table.isEnd(row); row = table.next(row)) {
    for (size_t i = 0; i < table.columnCount(); ++i) {
      std::visit([&](auto value) { insert->bind(i, value); }, table.at(row, i));
    }
    trace::Result<bool> stepped = insert->step();
    if (!stepped) return stepped.error();
    insert->reset();
  }
  return {};
}

trace::Result<void> writeTables(const Run& run, const std::filesystem::path& path) {
  trace::Result<Database> database = Database::create(path);
  if (!database) return database.error();
  // A database that is cut short is thrown away anyway, so nothing needs to survive a crash.
  for (const char* pragma : {"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN"}) {
    if (trace::Result<void> done = database->run(pragma); !done) return done;
  }
  for (const RunTable& table : runTables(run)) {
    if (table.rowCount() == 0) continue;
    if (trace::Result<void> written = writeTable(*database, table); !written) return written;
  }
  return database->run("COMMIT");
}

}  // namespace

trace::Result<void> exportSqlite(const Run& run, const std::filesystem::path& target) {
  std::error_code ignored;
  if (std::filesystem::exists(target, ignored))
    return trace::Error{target.string() + ": is there already, name a new file"};
  UnfinishedTarget file(target);
  const trace::Result<void> written = writeTables(run, file.path());
  if (!written) return written.error().within(target.string());
  const trace::Result<void> finished = file.finish();
  return finished ? finished : trace::Result<void>(finished.error().within(target.string()));
}

}  // namespace jitscope::analyzer
