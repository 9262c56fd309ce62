#pragma once

#include <string>
#include <variant>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// Why two nests stay two.
struct MergeRefusal {
  std::string reason;
};

/// One nest that does what `first` and then `second` do, or why there is none. What `second` loads
/// of what `first` stores it takes from there; nests that share only what they read are merged when
/// they read it at the same points.
std::variant<LoopNest, MergeRefusal> mergeNests(LoopProgram& program, const LoopNest& first,
                                                const LoopNest& second);

}  // namespace jitscope::compiler
