#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "trace/result.h"
#include "trace/schema.h"

namespace jitscope::trace {

/// What became known of a finished trace file only after it was closed.
struct Amendment {
  TableId table{};
  /// New cells in place of those of a column, by its position in the schema: one for each row.
  std::map<size_t, std::vector<int64_t>> columns;
  /// What turned out to be missing: each a row of the loss table, without an amount.
  struct Missing {
    std::string place, text;
  };
  std::vector<Missing> missing;
};

/// Writes the trace at `path` anew with the changes, and puts it in the place of the old one in one
/// step. All else, its process too, stays as it is; the rows of the table stand at the end. An
/// error, and the file as it was, when it is damaged, was not closed, or the new one does not fit
/// on the disk.
Result<void> amend(const std::filesystem::path& path, const Amendment& amendment);

}  // namespace jitscope::trace
