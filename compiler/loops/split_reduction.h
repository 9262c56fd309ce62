#pragma once

#include <functional>
#include <optional>

#include "compiler/loops/reduction_loops.h"

/// \file
/// Reductions to few results: first to several parts of each, side by side, then of the parts.
namespace jitscope::compiler {

/// The parts of a reduction.
struct ReductionSplit {
  int64_t parts = 1;
  Index partSize;            ///< elements of each, the last may have fewer
  bool isExact = false;      ///< no part has fewer
  bool partsOutside = true;  ///< the loop over the parts stands before those over the results
};

/// How to split; none when there are results enough to keep the device busy.
std::optional<ReductionSplit> splitOf(NodeLowering& node, const ReductionLoops& loops);

/// Makes the two nests. `element` gives what is reduced, `result` what the result holds.
void lowerSplit(NodeLowering& node, const ReductionLoops& loops, const ReductionSplit& split,
                ReductionOp op, bool keepsDims,
                const std::function<ScalarId(PointBuilder&, ScalarId)>& element,
                const std::function<ScalarId(Body&, ScalarId)>& result);

/// What a reduction of nothing gives.
ScalarId identityOf(Body& body, ReductionOp op, ElementType type);

}  // namespace jitscope::compiler
