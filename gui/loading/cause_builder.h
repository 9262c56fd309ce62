#pragma once

#include "gui/loading/recording.h"
#include "gui/models/cause_views.h"

namespace jitscope::gui {

/// What the page of breaks and recompiles shows. Reads source files that are at hand: for a worker.
CauseViews buildCauses(const Recording& recording);

}  // namespace jitscope::gui
