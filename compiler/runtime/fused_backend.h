#pragma once

#include "compiler/backend.h"

namespace jitscope::compiler {

/// The backend "fused": generated kernels for what has loops, LibTorch for the rest. A graph that
/// it cannot take, or that no compiler on this machine compiles, runs operator by operator, and the
/// journal says why.
CompiledGraph compileFused(const Graph& graph, std::span<const at::Tensor> exampleInputs);

}  // namespace jitscope::compiler
