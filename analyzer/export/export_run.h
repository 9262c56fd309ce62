#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Rows of a table that a format has no place for.
struct LeftOut {
  std::string_view table;
  int64_t rows = 0;
  std::string_view why;  ///< where only some rows of it are left out; else empty
};

/// A format of other tools that a run can be written in.
struct ExportFormat {
  std::string_view name;     ///< as after --to
  std::string_view meaning;  ///< for --help
  /// Writes `run` to `target`, which must not be there when it is a folder.
  trace::Result<void> (*write)(const Run& run, const std::filesystem::path& target);
  /// What `write` leaves out of a run; null: nothing.
  std::vector<LeftOut> (*leavesOut)(const Run& run) = nullptr;
};

/// All formats.
std::span<const ExportFormat> exportFormats();

}  // namespace jitscope::analyzer
