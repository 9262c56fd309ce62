#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "compiler/aot/call_shape.h"
#include "compiler/aot/input_effects.h"
#include "compiler/aot/joint_graph.h"
#include "compiler/aot/output_recipe.h"
#include "compiler/graph.h"

namespace jitscope::compiler {

/// A captured graph as a function without effects, and what is left to do around it.
struct FunctionTrace {
  JointGraph joint;
  std::vector<at::Tensor> constants;  ///< of the joint graph
  std::vector<at::Tensor> values;  ///< of each value of the joint graph, what it was in the trace
  ArgumentLayout layout;
  std::vector<InputEffect> effects;    ///< one per primal
  std::vector<OutputRecipe> outputs;   ///< one per output of the captured graph
  std::vector<bool> isDifferentiable;  ///< of each forward output: has the tangent next in order
};

/// Runs `captured` once on functional tensors, forward and, where something requires gradient,
/// backward, on aliases of `arguments`, which keep their content. Draws random numbers as a call
/// does, and puts them back. The calling thread's modes are those to be traced. Throws Refusal for
/// what cannot be compiled ahead of time, and what the function throws.
FunctionTrace traceFunction(const Graph& captured, std::span<const at::Tensor> arguments,
                            std::span<const int64_t> symbols, const CallShape& shape);

}  // namespace jitscope::compiler
