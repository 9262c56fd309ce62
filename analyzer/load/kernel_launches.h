#pragma once

#include "analyzer/load/loss_ledger.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Gives every kernel the piece and the operator that launched it: correlation id → API call →
/// innermost operator on that thread at that time. A node of a CUDA graph has the piece that
/// replays it and the operator that was being captured. Needs `run.lanes` and the pieces.
void placeKernels(Run& run, LossLedger& losses);

}  // namespace jitscope::analyzer
