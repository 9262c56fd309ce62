#pragma once

#include <cstddef>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// What a pass must know of a node beside its operator, as it was seen when the graph was made.
struct NodeFacts {
  bool isRandom = false;  ///< drew random numbers
  bool isView = false;    ///< its results share memory with its arguments
  size_t origin = 0;      ///< the operator of the captured graph that it comes from
};

/// The gradients that a backward pass gives when gradients come in for some outputs only. Autograd
/// leaves out what hangs on the others, instead of computing with zeros.
struct BackwardPart {
  std::vector<bool> hasTangent;    ///< of each tangent
  std::vector<ValueId> gradients;  ///< of each primal; kNone where autograd gives none
};

/// A function together with its backward pass: one graph of functional operators, below autograd.
/// Its inputs are the primals (what the function takes), then the constants (tensors that
/// LibTorch's own code brought along), then the tangents (gradients of outputs). It writes to none
/// of them.
struct JointGraph {
  static constexpr size_t kNoOrigin = static_cast<size_t>(-1);

  Graph graph;
  std::vector<NodeFacts> facts;  ///< of each node
  size_t primalCount = 0, constantCount = 0, tangentCount = 0;
  size_t forwardNodeCount = 0;          ///< the nodes before the first one of a backward pass
  std::vector<ValueId> forwardOutputs;  ///< what the function gives
  std::vector<BackwardPart> parts;      ///< the first has all tangents; none without gradient
};

}  // namespace jitscope::compiler
