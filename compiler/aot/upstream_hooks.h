#pragma once

#include <torch/csrc/autograd/edge.h>

#include <span>

namespace jitscope::compiler {

/// Whether a hook of the user's waits where a backward pass along these edges comes by. Looks at
/// the first 1,000 functions.
bool haveHooks(std::span<const torch::autograd::Edge> edges);

}  // namespace jitscope::compiler
