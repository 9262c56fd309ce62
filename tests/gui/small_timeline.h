#pragma once

#include <memory>

#include "gui/models/timeline.h"

namespace jitscope::gui {

/// A timeline made by hand: one host thread; an eager step at 0, a compiled one at 10,000 ns of 800
/// ns with a break of 100 ns in it. Operators of both: mul, mul, mm; the eager mm has add nested in
/// it.
std::shared_ptr<const Timeline> smallTimeline();

}  // namespace jitscope::gui
