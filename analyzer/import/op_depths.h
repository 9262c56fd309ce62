#pragma once

#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// Fills in how deep each operator lies in others of its thread, for inputs that do not tell.
void fillDepths(trace::MemoryTrace& trace);

}  // namespace jitscope::analyzer
