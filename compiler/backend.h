#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// A compiled graph. Takes the tensors of `Graph::inputs` and the values of `Graph::symbols`, gives
/// the tensors of `Graph::outputs`. May write to inputs exactly as the graph's in-place operators
/// do. Called from any thread, from several at once; may throw what LibTorch throws.
using CompiledGraph = std::function<std::vector<at::Tensor>(std::span<const at::Tensor> inputs,
                                                            std::span<const int64_t> symbols)>;

/// Turns a captured graph into something that runs. Called once per captured segment, on the thread
/// of the call that captured it, with the tensors of that call.
using Backend =
    std::function<CompiledGraph(const Graph& graph, std::span<const at::Tensor> exampleInputs)>;

/// Runs the graph operator by operator with LibTorch: what backend "eager" does, and what a backend
/// of one's own returns to leave a graph as it is. Throws c10::Error when LibTorch does not know an
/// operator of the graph, or when the graph holds an OpaqueConstant.
CompiledGraph interpret(const Graph& graph);

/// The backend of that name. Throws std::invalid_argument that lists the known names.
Backend backendByName(const std::string& name);

}  // namespace jitscope::compiler
