#pragma once

#include "trace/sink.h"

namespace jitscope::collector {

/// Begins to write an OpRow for every operator, backward function and named range that LibTorch
/// runs from now on, on every thread, to `sink`, which must outlive the process. Call once.
void observeOperators(trace::EventSink& sink);

/// Writes what recording has cost so far, and what was lost, as rows of the loss table.
void reportOperatorCounts(trace::EventSink& sink);

}  // namespace jitscope::collector
