#pragma once

#include <vector>

#include "trace/reader.h"

namespace jitscope::analyzer {

/// Makes one trace of those that tell different things of one process: a log of its compilations
/// and a profile of its kernels, say. They must agree in process id, and in rank and host where
/// both tell, lie in the same hours, and have no table of events in common; frames and compile ids
/// then mean the same in both. All others stay as they are.
std::vector<trace::TraceFile> joinProcesses(std::vector<trace::TraceFile> traces);

}  // namespace jitscope::analyzer
