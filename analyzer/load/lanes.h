#pragma once

#include <vector>

#include "analyzer/load/loss_ledger.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The threads that appear in the op table of `process`.
std::vector<int64_t> opThreads(const Process& process);

/// Gives every operator of `process` the piece that it belongs to. Operators with times that cannot
/// be right get none and are counted as lost.
void placeOps(Process& process, LossLedger& losses);

/// Builds `run.lanes` from everything that has a thread. Needs the ops' pieces.
void buildLanes(Run& run);

}  // namespace jitscope::analyzer
