#include "analyzer/import/nsys_import.h"

namespace jitscope::analyzer {

bool isSqliteFile(std::string_view head) {
  // The names of tables may stand anywhere in the file.
  return head.starts_with("SQLite format 3");
}

}  // namespace jitscope::analyzer
