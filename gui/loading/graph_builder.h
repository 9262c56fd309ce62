#pragma once

#include "gui/loading/recording.h"
#include "gui/models/graph_views.h"

namespace jitscope::gui {

/// What the page of graphs shows. Texts stay the recording's own, which must be kept.
GraphViews buildGraphs(const Recording& recording);

/// The guards of one entry (its index in the run), with how often each failed.
Sheet buildGuards(const Recording& recording, size_t entry);

}  // namespace jitscope::gui
