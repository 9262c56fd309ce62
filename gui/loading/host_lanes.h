#pragma once

#include <functional>
#include <vector>

#include "gui/loading/lane_source.h"
#include "gui/loading/name_table.h"

namespace jitscope::gui {

/// One lane for all compilations of a process.
SourcedLane compileLane(const analyzer::Run& run, analyzer::ProcessIndex process, NameTable& names);

/// One lane for each host thread: calls, regions with the breaks between them, operators by
/// nesting, API calls. Stops early, with fewer lanes, when `proceed` answers false; it is told
/// lanes done and all.
std::vector<SourcedLane> hostLanes(const analyzer::Run& run, NameTable& names,
                                   const std::function<bool(size_t done, size_t all)>& proceed);

}  // namespace jitscope::gui
