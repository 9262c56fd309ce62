#pragma once

#include <vector>

#include "analyzer/sqlite/database.h"
#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {

/// Makes each table readable by SQL under its name (a virtual table of SQLite), without a copy.
/// `tables` must outlive `database`.
trace::Result<void> showTables(Database& database, const std::vector<RunTable>& tables);

}  // namespace jitscope::analyzer
