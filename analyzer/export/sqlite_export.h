#pragma once

#include <filesystem>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Writes a new SQLite database with a table for each table of the run. An error in a build without
/// SQLite.
trace::Result<void> exportSqlite(const Run& run, const std::filesystem::path& target);

}  // namespace jitscope::analyzer
