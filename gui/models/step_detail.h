#pragma once

#include "gui/models/timeline.h"

namespace jitscope::gui {

/// A step in numbers: both panes' times, and what filled them by colour, so that it is the legend
/// too. What the window shows while nothing is selected.
Detail stepDetail(const Timeline& timeline, const StepTrack& track, size_t step);

}  // namespace jitscope::gui
