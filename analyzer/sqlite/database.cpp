#include "analyzer/sqlite/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

namespace jitscope::analyzer {
namespace {

/// What a hostile file could make SQLite do that a trace never needs.
void distrust(sqlite3* handle) {
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  constexpr int kLongestText = 64 << 20, kLongestStatement = 1 << 20, kMostColumns = 1000;
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestText);
  sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, kLongestStatement);
  sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, kMostColumns);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
}

/// A path as a URI that SQLite reads, never writes, and where it can be, without a lock.
std::string readingUri(const std::filesystem::path& path) {
  std::string uri = path.is_absolute() ? "file://" : "file:";  // else // would name a host
  for (const char letter : path.string()) {
    constexpr std::string_view kPlain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    if (kPlain.find(letter) != std::string_view::npos)
      uri += letter;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  std::error_code absent;
  const auto logBytes = std::filesystem::file_size(path.string() + "-wal", absent);
  return uri + (absent || logBytes == 0 ? "?immutable=1" : "?mode=ro");
}

}  // namespace

int Database::turn(void* patience) {
  auto* const left = static_cast<Patience*>(patience);
  return left->stop.stop_requested() || --left->turnsLeft < 0 ? 1 : 0;
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

trace::Result<Database> Database::open(const std::string& path, int flags) {
  sqlite3* handle = nullptr;
  const int status = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database(handle);
  if (status == SQLITE_OK) return database;
  const char* const why = handle == nullptr
                              ? "not enough memory for it, end other programs and try again"
                              : sqlite3_errmsg(handle);
  return trace::Error{why};
}

trace::Result<Database> Database::create(const std::filesystem::path& path) {
  return open(path.string(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

trace::Result<Database> Database::openForeign(const std::filesystem::path& path,
                                              std::stop_token stop) {
  trace::Result<Database> database = open(readingUri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (!database) return database;
  distrust(database->handle());
  constexpr int kInstructions = 10'000;
  constexpr int64_t kTurnsForSchema = 10, kTurns = std::numeric_limits<int64_t>::max();
  database->patience_ = std::make_unique<Patience>(Patience{std::move(stop), kTurnsForSchema});
  Patience& patience = *database->patience_;
  sqlite3_progress_handler(database->handle(), kInstructions, turn, &patience);
  // SQLite reads the schema now. What else is wrong with it, the first real statement tells.
  const trace::Result<Statement> first = database->prepare("SELECT 1 FROM sqlite_schema");
  if (!first && patience.turnsLeft < 0) return trace::Error{"more tables than any trace has"};
  patience.turnsLeft = kTurns;
  return database;
}

trace::Result<Database> Database::inMemory() {
  return open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

trace::Result<void> Database::run(const std::string& sql) {
  trace::Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  while (true) {
    const trace::Result<bool> stepped = statement->step();
    if (!stepped) return stepped.error();
    if (!*stepped) return {};
  }
}

trace::Result<Statement> Database::prepare(std::string_view sql, std::string* rest) {
  sqlite3_stmt* statement = nullptr;
  const char* behind = nullptr;
  const int status = sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                        &statement, &behind);
  if (status != SQLITE_OK) return trace::Error{sqlite3_errmsg(handle_.get())};
  if (statement == nullptr) return trace::Error{"no SQL in it, write a SELECT"};
  if (rest != nullptr && behind != nullptr)
    *rest = std::string(behind, static_cast<size_t>(sql.data() + sql.size() - behind));
  return Statement(statement);
}

bool Database::hasStatement(std::string_view sql) {
  while (!sql.empty()) {
    sqlite3_stmt* statement = nullptr;
    const char* behind = nullptr;
    const int status = sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                          &statement, &behind);
    sqlite3_finalize(statement);
    if (status != SQLITE_OK || statement != nullptr) return true;
    if (behind == sql.data()) return false;  // SQL ends at a zero byte
    sql.remove_prefix(static_cast<size_t>(behind - sql.data()));
  }
  return false;
}

}  // namespace jitscope::analyzer
