#pragma once

#include <filesystem>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Writes a new folder with `TABLE.csv` for each table that has rows: a line of names, then a line
/// for each row, texts in full.
trace::Result<void> exportCsv(const Run& run, const std::filesystem::path& target);

}  // namespace jitscope::analyzer
