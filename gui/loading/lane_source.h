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

/// Whether a span that the analyzer has not looked at may be believed: it runs forwards and lies
/// where the window can go. Such times can be subtracted and summed without overflow.
bool isPlausible(const analyzer::Run& run, TimeRange time);

/// In rows of copies: set in a SourceRow that is of the memset table, not of the memcpy table.
inline constexpr uint32_t kMemsetBit = 0x8000'0000;

}  // namespace jitscope::gui
