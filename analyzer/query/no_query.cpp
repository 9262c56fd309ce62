#include "analyzer/query.h"

namespace jitscope::analyzer {

std::vector<QueryTable> queryTables() { return {}; }

std::vector<std::string_view> queryTableNames() { return {}; }

trace::Result<void> query(const Run&, const Analysis&, const std::string&, AnswerSink&,
                          const QueryBounds&) {
  return trace::Error{
      "this build answers no queries: SQLite was not there when it was built (libsqlite3-dev)"};
}

}  // namespace jitscope::analyzer
