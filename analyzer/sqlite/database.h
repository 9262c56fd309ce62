#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "analyzer/sqlite/statement.h"
#include "trace/result.h"

struct sqlite3;

namespace jitscope::analyzer {

/// An open SQLite database. For one thread.
class Database {
 public:
  /// Makes a new file, or opens one to write to it. Errors here and below are SQLite's words.
  static trace::Result<Database> create(const std::filesystem::path& path);

  /// Opens a file that nobody trusts: it is never written, nor anything beside it unless a
  /// write-ahead log with changes lies there; its schema may run no functions of ours, what it asks
  /// SQLite to keep in memory is bounded, and a request to stop ends any statement. One with a
  /// schema of tens of thousands of tables, which would take SQLite minutes, is refused.
  static trace::Result<Database> openForeign(const std::filesystem::path& path,
                                             std::stop_token stop);

  /// An empty one in memory.
  static trace::Result<Database> inMemory();

  /// Runs a statement that gives no rows.
  trace::Result<void> run(const std::string& sql);

  /// Prepares the first statement of `sql`; `rest`, if asked for, gets what stands behind it.
  trace::Result<Statement> prepare(std::string_view sql, std::string* rest = nullptr);

  /// Whether there is more than blanks, comments and semicolons: a statement, right or wrong.
  bool hasStatement(std::string_view sql);

  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}

  static trace::Result<Database> open(const std::string& path, int flags);

  /// What ends a statement before its end.
  struct Patience {
    std::stop_token stop;
    int64_t turnsLeft = 0;  ///< of some thousand instructions each
  };
  static int turn(void* patience);

  std::unique_ptr<Patience> patience_;  ///< what the progress handler looks at
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace jitscope::analyzer
