#pragma once

#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// A run of consecutive nodes as a graph of its own.
struct GraphPiece {
  Graph graph;
  std::vector<ValueId> inputs, outputs;  ///< in the whole graph, as the piece's own are ordered
};

/// The graph in pieces that each have one backward pass, so that gradients flow as eagerly: one
/// autograd node stands for a piece, and its results are siblings. Where a tensor that can be seen
/// from outside (a result, a written input) and that requires gradient goes on into another result,
/// user code may differentiate the one by the other, or hook the gradient between them: there a
/// piece ends. Without such a tensor the graph is one piece.
std::vector<GraphPiece> piecesOf(const Graph& graph);

}  // namespace jitscope::compiler
