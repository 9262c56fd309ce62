#include "analyzer/export/sqlite_export.h"

namespace jitscope::analyzer {

trace::Result<void> exportSqlite(const Run&, const std::filesystem::path&) {
  return trace::Error{
      "this build writes no databases: SQLite was not there when it was built (libsqlite3-dev)"};
}

}  // namespace jitscope::analyzer
