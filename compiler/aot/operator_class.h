#pragma once

#include <cstdint>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// What kind of work an operator is: whether a fusing compiler gets it for nothing beside others,
/// and whether it may be done twice.
enum class OperatorClass : uint8_t {
  kPointwise,  ///< each element of the result from the elements at its place
  kReduction,  ///< sums and the like over some dimensions
  kView,       ///< no work at all
  kOther,      ///< done by a library, or unknown: never twice
};

OperatorClass classOf(const Node& node);

}  // namespace jitscope::compiler
