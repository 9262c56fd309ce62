#pragma once

#include <string>
#include <variant>
#include <vector>

#include "compiler/graph.h"
#include "compiler/loops/body.h"

/// \file
/// A graph as loops: what remains of it are nests over buffers and calls of operators that no nest
/// expresses.
namespace jitscope::compiler {

/// Memory that a nest reads or writes: an input of the graph, the result of an operator, or an
/// intermediate result of the nests alone.
struct LoopBuffer {
  std::string name;  ///< unique in its program: of the graph's value, or "tmp3"
  ElementType type = ElementType::kFloat32;
  std::vector<Index> sizes, strides;  ///< strides in elements
  DeviceName device{};
  ValueId value = ValueId::kNone;  ///< the tensor of the graph that it is; kNone for no one's
};

enum class ReductionOp : uint8_t { kSum, kProduct, kMaximum, kMinimum, kAny, kAll };

std::string_view reductionOpName(ReductionOp op);

/// A value for each point of the outer loops, gathered over the inner ones.
struct LoopReduction {
  ReductionOp op = ReductionOp::kSum;
  ScalarId input = ScalarId::kNone;
};

struct LoopStore {
  BufferId buffer = BufferId::kNone;
  Index address;
  ScalarId value = ScalarId::kNone;
  bool isInner = false;  ///< once for each point of all loops, not only of the outer ones
};

/// Loops over all points of `sizes`. What depends on a reduction is computed after it: a nest with
/// reductions goes over its inner loops as often as its values need.
struct LoopNest {
  std::vector<Index> sizes;
  size_t outerCount = 0;  ///< the first loops are outer ones; without reductions all are
  std::vector<ReductionId> reductions;
  std::vector<LoopStore> stores;
  std::vector<std::string> operators;  ///< names of those that it does, "add", sorted, each once

  bool hasReduction() const { return !reductions.empty(); }
  std::span<const Index> outer() const { return {sizes.data(), outerCount}; }
  std::span<const Index> inner() const {
    return {sizes.data() + outerCount, sizes.size() - outerCount};
  }
};

/// An operator of the graph that runs as LibTorch has it.
struct OpaqueCall {
  size_t node = 0;     ///< in `Graph::nodes`
  std::string reason;  ///< why it has no loops: "no loops for aten::matmul"
};

/// A tensor that shares the memory of another one.
struct TensorAlias {
  ValueId value = ValueId::kNone, source = ValueId::kNone;
};

using LoopStep = std::variant<LoopNest, OpaqueCall>;

struct LoopProgram {
  Body body;
  std::vector<LoopBuffer> buffers;
  std::vector<LoopReduction> reductions;
  std::vector<LoopStep> steps;       ///< each after those whose results it needs
  std::vector<TensorAlias> aliases;  ///< of buffers or of results of opaque calls
  std::vector<int64_t> hints;        ///< example values of the graph's symbols

  LoopBuffer& buffer(BufferId id) { return buffers[static_cast<size_t>(id)]; }
  const LoopBuffer& buffer(BufferId id) const { return buffers[static_cast<size_t>(id)]; }
  const LoopReduction& reduction(ReductionId id) const {
    return reductions[static_cast<size_t>(id)];
  }
};

/// Elements of the buffer.
Index elementCount(const LoopBuffer& buffer);

/// The program as text, nest by nest.
std::string printLoops(const LoopProgram& program);
std::string printNest(const LoopProgram& program, const LoopNest& nest);

}  // namespace jitscope::compiler
