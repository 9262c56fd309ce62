#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trace/reader.h"
#include "trace/schema.h"

namespace jitscope::trace {

/// The stretches of time that a file holds events of.
struct RecordedWindows {
  std::string wish;                        ///< what was asked for, in the user's words
  std::vector<RecordedWindowRow> windows;  ///< one row for each, by number
  int64_t totalNs = 0;                     ///< of those that have ended; as much as fits
};

/// The windows of a file; nothing when its process was recorded all the time.
std::optional<RecordedWindows> recordedWindows(const TraceFile& file);

}  // namespace jitscope::trace
