#pragma once

#include "gui/loading/recording.h"
#include "gui/models/detail.h"

namespace jitscope::gui {

/// The whole recording in numbers: how calls were served, how kernels came to run, what moved in
/// memory, and what the recording cannot tell.
Detail buildOverview(const Recording& recording);

}  // namespace jitscope::gui
