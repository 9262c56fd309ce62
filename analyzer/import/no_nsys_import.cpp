#include "analyzer/import/nsys_import.h"

namespace jitscope::analyzer {

trace::Result<void> importNsys(InputBytes&, Import&) {
  return trace::Error{
      "is an SQLite database, such as Nsight Systems exports, which this build does not read: "
      "SQLite was not there when it was built (libsqlite3-dev)"};
}

}  // namespace jitscope::analyzer
