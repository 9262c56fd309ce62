#pragma once

#include <string>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// The graph as `printReadable` prints it, with every operator by its qualified name, as FX prints
/// AOTAutograd's graphs:
/// `add: "f32[4][1]cpu" = torch.ops.aten.add.Tensor(primals_1, primals_2, alpha = 1)`.
std::string printOperators(const Graph& graph);

}  // namespace jitscope::compiler
