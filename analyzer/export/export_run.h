#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// A format of other tools that a run can be written in.
struct ExportFormat {
  std::string_view name;     ///< as after --to
  std::string_view meaning;  ///< for --help
  /// Writes `run` to `target`, which must not be there when it is a folder.
  trace::Result<void> (*write)(const Run& run, const std::filesystem::path& target);
};

/// All formats.
std::span<const ExportFormat> exportFormats();

}  // namespace jitscope::analyzer
