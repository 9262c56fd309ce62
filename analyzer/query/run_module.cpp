#include "analyzer/query/run_module.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <new>
#include <string>

#include "analyzer/sqlite/column_definitions.h"

namespace jitscope::analyzer {
namespace {

/// SQLite's view of one table. Its own part comes first, as SQLite's C interface asks for.
struct ShownTable : sqlite3_vtab {
  explicit ShownTable(const RunTable* shown) : sqlite3_vtab{}, table(shown) {}

  const RunTable* table;
};

/// Where one scan stands.
struct Scan : sqlite3_vtab_cursor {
  explicit Scan(const RunTable* scanned) : sqlite3_vtab_cursor{}, table(scanned) {}

  const RunTable* table;
  RunTable::Row row;
  sqlite3_int64 number = 0;
};

int connect(sqlite3* handle, void* table, int, const char* const*, sqlite3_vtab** result, char**) {
  const auto* const runTable = static_cast<const RunTable*>(table);
  const std::string columns = columnDefinitions(*runTable);
  const int status =
      sqlite3_declare_vtab(handle, fmt::format("CREATE TABLE x({})", columns).c_str());
  if (status != SQLITE_OK) return status;
  auto* const shown = new (std::nothrow) ShownTable(runTable);
  if (shown == nullptr) return SQLITE_NOMEM;
  *result = shown;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
  delete static_cast<ShownTable*>(table);
  return SQLITE_OK;
}

/// Every scan reads all rows; SQLite itself makes an index for a join that needs one.
int plan(sqlite3_vtab* table, sqlite3_index_info* info) {
  const auto rows = static_cast<const ShownTable*>(table)->table->rowCount();
  info->estimatedRows = static_cast<sqlite3_int64>(rows);
  info->estimatedCost = static_cast<double>(rows);
  return SQLITE_OK;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
  auto* const scan = new (std::nothrow) Scan(static_cast<const ShownTable*>(table)->table);
  if (scan == nullptr) return SQLITE_NOMEM;
  *cursor = scan;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Scan*>(cursor);
  return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
  auto* const scan = static_cast<Scan*>(cursor);
  scan->row = scan->table->first();
  scan->number = 0;
  return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
  auto* const scan = static_cast<Scan*>(cursor);
  scan->row = scan->table->next(scan->row);
  ++scan->number;
  return SQLITE_OK;
}

int isAtEnd(sqlite3_vtab_cursor* cursor) {
  const auto* const scan = static_cast<const Scan*>(cursor);
  return scan->table->isEnd(scan->row) ? 1 : 0;
}

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index) {
  const auto* const scan = static_cast<const Scan*>(cursor);
  const RunTable::Cell cell = scan->table->at(scan->row, static_cast<size_t>(index));
  if (const auto* text = std::get_if<std::string_view>(&cell)) {
    // The run owns the text and outlives the query: nothing is copied.
    sqlite3_result_text64(context, text->data() == nullptr ? "" : text->data(), text->size(),
                          SQLITE_STATIC, SQLITE_UTF8);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    sqlite3_result_double(context, *real);
  } else {
    sqlite3_result_int64(context, std::get<int64_t>(cell));
  }
  return SQLITE_OK;
}

int rowNumber(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
  *number = static_cast<const Scan*>(cursor)->number;
  return SQLITE_OK;
}

/// A module without xCreate: its one table is there without a statement that makes it.
sqlite3_module makeModule() {
  sqlite3_module module{};
  module.xConnect = connect;
  module.xBestIndex = plan;
  module.xDisconnect = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next;
  module.xEof = isAtEnd;
  module.xColumn = column;
  module.xRowid = rowNumber;
  return module;
}

}  // namespace

trace::Result<void> showTables(Database& database, const std::vector<RunTable>& tables) {
  static const sqlite3_module kModule = makeModule();
  for (const RunTable& table : tables) {
    // SQLite hands the pointer back to `connect`, which only reads it.
    void* const shown = const_cast<RunTable*>(&table);
    const std::string name(table.name());
    if (sqlite3_create_module_v2(database.handle(), name.c_str(), &kModule, shown, nullptr) !=
        SQLITE_OK)
      return trace::Error{sqlite3_errmsg(database.handle())};
    // Connects the table now: later SQLite would ask an authorizer whether it may.
    trace::Result<Statement> connected =
        database.prepare(fmt::format("SELECT 1 FROM \"{}\"", name));
    if (!connected) return connected.error();
  }
  return {};
}

}  // namespace jitscope::analyzer
