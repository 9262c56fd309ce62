#include "analyzer/sqlite/statement.h"

#include <sqlite3.h>

namespace jitscope::analyzer {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(sqlite3_stmt* statement) : statement_(statement) {}

void Statement::bind(size_t parameter, int64_t value) {
  sqlite3_bind_int64(statement_.get(), static_cast<int>(parameter) + 1, value);
}

void Statement::bind(size_t parameter, double value) {
  sqlite3_bind_double(statement_.get(), static_cast<int>(parameter) + 1, value);
}

void Statement::bind(size_t parameter, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), static_cast<int>(parameter) + 1, value.data(), value.size(),
                      SQLITE_STATIC, SQLITE_UTF8);
}

trace::Result<bool> Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  return trace::Error{sqlite3_errmsg(sqlite3_db_handle(statement_.get()))};
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

size_t Statement::columnCount() const {
  return static_cast<size_t>(sqlite3_column_count(statement_.get()));
}

std::string_view Statement::columnName(size_t column) const {
  const char* const name = sqlite3_column_name(statement_.get(), static_cast<int>(column));
  return name == nullptr ? std::string_view() : name;
}

Statement::CellType Statement::type(size_t column) const {
  switch (sqlite3_column_type(statement_.get(), static_cast<int>(column))) {
    case SQLITE_INTEGER:
      return CellType::kInteger;
    case SQLITE_FLOAT:
      return CellType::kReal;
    case SQLITE_TEXT:
      return CellType::kText;
    case SQLITE_BLOB:
      return CellType::kBlob;
    default:
      return CellType::kNull;
  }
}

int64_t Statement::integer(size_t column) const {
  return sqlite3_column_int64(statement_.get(), static_cast<int>(column));
}

double Statement::real(size_t column) const {
  return sqlite3_column_double(statement_.get(), static_cast<int>(column));
}

std::string_view Statement::text(size_t column) const {
  const int at = static_cast<int>(column);
  const unsigned char* const text = sqlite3_column_text(statement_.get(), at);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<size_t>(sqlite3_column_bytes(statement_.get(), at))};
}

bool Statement::isReadOnly() const { return sqlite3_stmt_readonly(statement_.get()) != 0; }

}  // namespace jitscope::analyzer
