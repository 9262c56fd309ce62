#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph.h"
#include "compiler/loops/loop_program.h"
#include "compiler/schedule/traffic.h"

namespace jitscope::compiler {

/// Two nests that might have become one.
struct FusionDecision {
  std::string first, second;  ///< their operators: "mul_sum"
  bool isFused = false;
  std::string reason;      ///< why not, when not
  int64_t savedBytes = 0;  ///< that were saved, or would have been
};

/// What fusing did to a program.
struct FusionReport {
  Traffic before;  ///< operator by operator
  Traffic after;   ///< nests and opaque calls as they are now
  std::vector<FusionDecision> decisions;

  std::string text() const;
};

/// Merges nests of the program, those first that save most bytes of memory traffic, until no two
/// can be merged; drops what nobody reads; orders the steps.
FusionReport fuseNests(LoopProgram& program, const Graph& graph);

/// Its operators, "add_mean_mul", as kernels are named.
std::string operatorsText(const LoopNest& nest);

}  // namespace jitscope::compiler
