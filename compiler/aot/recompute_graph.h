#pragma once

#include <cstdint>
#include <vector>

#include "compiler/aot/joint_graph.h"

namespace jitscope::compiler {

/// A joint graph as the choice of what to keep for the backward pass and what to compute again.
class RecomputeGraph {
 public:
  explicit RecomputeGraph(const JointGraph& joint);

  /// The values to keep, in the order of their definition: with them, constants and tangents the
  /// gradients follow, at the least cost.
  std::vector<ValueId> cheapestCut() const;

 private:
  struct ValueFacts {
    size_t maker = kNoNode;     ///< the node that makes it
    std::vector<size_t> users;  ///< nodes
    bool isPrimal = false, isConstant = false, isTangent = false;
    bool isOutput = false;          ///< of the function
    bool isKeptByAutograd = false;  ///< a primal that autograd keeps too
  };
  struct StepFacts {
    bool needsTangent = false;
    int distance = kFar;  ///< in steps, to the first that needs a tangent
  };

  static constexpr size_t kNoNode = static_cast<size_t>(-1);
  static constexpr int kFar = 1'000'000;

  const ValueFacts& of(ValueId id) const { return values_[static_cast<size_t>(id)]; }
  ValueFacts& of(ValueId id) { return values_[static_cast<size_t>(id)]; }

  void readInputs();
  void readNodes();
  void measureDistances();
  void findKeptPrimals();

  bool isView(size_t node) const;
  bool mayRunTwice(size_t node) const;
  bool feedsLibraryInBackward(size_t node) const;
  bool shrinksMuch(size_t node) const;
  bool isInMemoryAnyway(ValueId id) const;
  int64_t bytes(ValueId id) const;
  int64_t costOfKeeping(ValueId id) const;

  const JointGraph& joint_;
  std::vector<ValueFacts> values_;
  std::vector<StepFacts> steps_;
};

}  // namespace jitscope::compiler
