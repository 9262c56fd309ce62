#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

#include "tests/fuzz/sound_run.h"
#include "tests/fuzz/targets.h"

namespace jitscope::fuzz {
namespace {

constexpr size_t kLongestScript = 8 << 10;

/// A script may fill its database, and nothing else.
int allow(void*, int action, const char*, const char*, const char*, const char*) {
  const bool leaves = action == SQLITE_ATTACH || action == SQLITE_DETACH || action == SQLITE_PRAGMA;
  return leaves ? SQLITE_DENY : SQLITE_OK;
}

/// Ends a script that goes on for ever.
int countDown(void* left) { return --*static_cast<int*>(left) < 0 ? 1 : 0; }

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};

/// The file that a script makes, as far as it can be run; empty when there is none.
std::string databaseOf(const std::string& script) {
  sqlite3* handle = nullptr;
  if (sqlite3_open(":memory:", &handle) != SQLITE_OK) return {};
  const std::unique_ptr<sqlite3, Close> database(handle);
  sqlite3_exec(handle, "PRAGMA page_size=512; PRAGMA max_page_count=4096", nullptr, nullptr,
               nullptr);
  constexpr int kLongestText = 1 << 20, kInstructions = 1000;
  int stepsLeft = 200;
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLongestText);
  sqlite3_set_authorizer(handle, allow, nullptr);
  sqlite3_progress_handler(handle, kInstructions, countDown, &stepsLeft);
  // Statement by statement: one that is wrong does not keep the others from being run.
  for (const char *at = script.c_str(), *next = at; *at != '\0' && stepsLeft > 0; at = next) {
    sqlite3_stmt* statement = nullptr;
    const bool isRight = sqlite3_prepare_v2(handle, at, -1, &statement, &next) == SQLITE_OK;
    while (isRight && statement != nullptr && sqlite3_step(statement) == SQLITE_ROW) continue;
    sqlite3_finalize(statement);
    if (!isRight || next == at)
      next = at + std::min(std::string_view(at).find(';'), std::string_view(at).size() - 1) + 1;
  }
  sqlite3_int64 size = 0;
  unsigned char* const bytes = sqlite3_serialize(handle, "main", &size, 0);
  if (bytes == nullptr) return {};
  std::string file(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  sqlite3_free(bytes);
  return file;
}

}  // namespace

void loadNsysSchema(std::string_view bytes) {
  if (bytes.size() <= kLongestScript) loadNsys(databaseOf(std::string(bytes)));
}

}  // namespace jitscope::fuzz
