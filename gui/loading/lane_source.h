#pragma once

#include <cstdint>

#include "analyzer/run.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

/// Where the events of one lane came from: with it a SourceRow leads back to a row of the run.
struct LaneSource {
  analyzer::ProcessIndex process = analyzer::ProcessIndex::kNone;
  int64_t thread = 0;
};

/// A lane together with its source, on the way into a timeline.
struct SourcedLane {
  Lane lane;
  LaneSource source;
};

/// In rows of copies: set in a SourceRow that is of the memset table, not of the memcpy table.
inline constexpr uint32_t kMemsetBit = 0x8000'0000;

}  // namespace jitscope::gui
