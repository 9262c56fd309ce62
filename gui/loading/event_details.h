#pragma once

#include <memory>
#include <vector>

#include "gui/loading/lane_source.h"

namespace jitscope::gui {

/// Tells everything about an event or mark from the tables of its run. Cheap to copy; safe from any
/// thread.
class EventDetails {
 public:
  /// `sources` stand as the lanes of the timeline do.
  EventDetails(std::shared_ptr<const analyzer::Run> run, std::vector<LaneSource> sources);

  Detail describe(const Timeline& timeline, const Pick& pick) const;

 private:
  Detail ofMark(const Mark& mark) const;

  std::shared_ptr<const analyzer::Run> run_;
  std::vector<LaneSource> sources_;
};

}  // namespace jitscope::gui
