#pragma once

#include <string>
#include <vector>

#include "compiler/loops/lowering.h"

namespace jitscope::compiler {

/// Lowers a graph, operator by operator in its order.
class GraphLowering {
 public:
  explicit GraphLowering(const Graph& graph);

  LoopProgram lower();

  const Graph& graph() const { return graph_; }
  const std::vector<int64_t>& hints() const { return program_.hints; }
  LoopProgram& program() { return program_; }

  /// The tensor of a value, null when its type has no loops.
  LoweredRef tensor(ValueId id);
  void give(ValueId id, LoweredRef tensor);
  /// Puts a tensor into memory, with the layout of `value` if it is one's.
  void realize(const LoweredRef& tensor, ValueId value = ValueId::kNone);
  /// A buffer of its own for `tensor`, which loads from it from now on.
  BufferId addBuffer(LoweredTensor& tensor, ValueId value);
  void addNest(LoopNest nest) { program_.steps.emplace_back(std::move(nest)); }
  /// Whether the graph or an opaque call needs the tensor itself.
  bool isNeededInMemory(ValueId id) const { return isNeeded_[static_cast<size_t>(id)]; }

 private:
  void findNeeded();
  void lowerNode(size_t index);
  void callOpaquely(size_t index, std::string reason);
  void makeAvailable(ValueId id);
  void realizeIfShared(ValueId id);
  LoweredRef inputTensor(ValueId id);

  const Graph& graph_;
  LoopProgram program_;
  DeviceName device_;  ///< of the operator at hand
  std::vector<LoweredRef> tensors_;
  std::vector<int64_t> uses_;
  std::vector<bool> isNeeded_, isAvailable_;
};

}  // namespace jitscope::compiler
