#pragma once

#include "trace/sink.h"

namespace jitscope::collector {

/// What is read of an operator.
enum class Detail {
  kEverything,
  kNames,  ///< nothing that depends on how LibTorch lays out its data
};

/// Begins to write an OpRow for every operator, backward function and named range that LibTorch
/// runs from now on, on every thread, to `sink`, which must outlive the process. Call once.
void observeOperators(trace::EventSink& sink, Detail detail);

/// Writes what recording has cost so far, and what was lost, as rows of the loss table.
void reportOperatorCounts(trace::EventSink& sink);

}  // namespace jitscope::collector
