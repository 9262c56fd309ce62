#pragma once

#include <vector>

#include "gui/loading/lane_source.h"
#include "gui/loading/name_table.h"

namespace jitscope::gui {

/// One lane for each stream of a process with its kernels, copies below them, and one for each
/// device's memory traffic. Empty without a GPU.
std::vector<SourcedLane> deviceLanes(const analyzer::Run& run, analyzer::ProcessIndex process,
                                     NameTable& names);

}  // namespace jitscope::gui
