#pragma once

#include <optional>

#include "gui/models/timeline.h"

namespace jitscope::gui {

/// The same work in the other pane of a step: for an outermost operator or a kernel the event of
/// the same name and ordinal within the step, for a region the span of the operators that it
/// replaces. None when the step does not have it.
std::optional<TimeRange> counterpart(const Timeline& timeline, const Step& step, const Pick& pick);

}  // namespace jitscope::gui
