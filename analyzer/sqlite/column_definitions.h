#pragma once

#include <string>

#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {

/// The columns of a table as SQLite's CREATE TABLE wants them: `"name" TYPE, ...`.
std::string columnDefinitions(const RunTable& table);

}  // namespace jitscope::analyzer
