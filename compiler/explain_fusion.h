#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// What the backend "fused" makes of a graph, found without compiling anything.
struct FusionExplanation {
  std::vector<std::string> kernels;  ///< names, in the order in which they run
  int64_t opaqueCalls = 0;           ///< operators that LibTorch runs between them
  int64_t eagerBytes = 0;            ///< read and written operator by operator
  int64_t fusedBytes = 0;            ///< read and written by kernels and opaque calls
  std::string decisions;             ///< what was fused and what not, with the reasons
};

/// Explains a graph that writes to none of its inputs. Bytes are counted from shapes, at the
/// example sizes of the graph's symbols: each element that a kernel reads or writes once.
FusionExplanation explainFusion(const Graph& graph);

}  // namespace jitscope::compiler
