#pragma once

#include <filesystem>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Writes a new folder with `rank=N/TABLE.parquet` for each rank and each table, also for tables
/// without rows, so that a query over many runs finds all of them (EXPORT.md). An error where
/// Arrow's libraries are missing.
trace::Result<void> exportParquet(const Run& run, const std::filesystem::path& target);

}  // namespace jitscope::analyzer
