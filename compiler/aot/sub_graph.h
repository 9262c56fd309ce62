#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "compiler/aot/joint_graph.h"
#include "compiler/graph.h"

namespace jitscope::compiler {

/// Where a tensor that is wanted of a graph comes from.
struct ValueSource {
  bool isInput = false;
  size_t position = 0;  ///< among what the graph takes or gives

  bool operator==(const ValueSource&) const = default;
};

/// A part of a graph, as a graph of its own.
struct SubGraph {
  Graph graph;
  std::vector<size_t> inputs;       ///< which of the inputs that were offered it takes
  std::vector<ValueSource> wanted;  ///< of each wanted value; `isInput`: one that was offered
};

/// The operators that make `wanted` out of `offered`, in their order, and those marked in `isKept`
/// (by node; may be empty) whatever they make. A wanted value that is offered needs no operator.
SubGraph extract(const Graph& graph, std::span<const GraphInput> offered,
                 std::span<const ValueId> wanted, const std::vector<bool>& isKept);

}  // namespace jitscope::compiler
