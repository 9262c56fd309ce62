#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "compiler/loops/node_arguments.h"

/// \file
/// From operators to loops. A tensor that is not in memory is a function from coordinates to a
/// scalar; the rules of operators compose such functions, and a nest is made where a tensor has to
/// be in memory after all.
namespace jitscope::compiler {

/// What is known while one point of a nest is described.
class PointBuilder {
 public:
  PointBuilder(LoopProgram& program, std::vector<Index> sizes)
      : program_(program), sizes_(std::move(sizes)) {}

  LoopProgram& program() { return program_; }
  Body& body() { return program_.body; }
  const std::vector<Index>& sizes() const { return sizes_; }
  IndexRanges ranges() const { return {sizes_}; }
  /// The loop variables `begin`…`end`.
  static std::vector<Index> loops(size_t begin, size_t end);

  ScalarId load(BufferId buffer, const Index& address);
  /// Makes `value` where `condition` holds; nothing is loaded where it does not.
  ScalarId guarded(ScalarId condition, const std::function<ScalarId()>& value);
  ScalarId reduce(ReductionOp op, ScalarId input);

  std::vector<ReductionId> takeReductions() { return std::move(reductions_); }

 private:
  LoopProgram& program_;
  std::vector<Index> sizes_;
  std::vector<ReductionId> reductions_;
  ScalarId condition_ = ScalarId::kNone;
};

/// A tensor while its graph is lowered. Others refer to it until the end, so that they load from
/// its buffer as soon as it has one.
struct LoweredTensor {
  using Load = std::function<ScalarId(PointBuilder&, std::span<const Index> coordinates)>;

  std::vector<Index> sizes;
  ElementType type = ElementType::kFloat32;
  Load load;                            ///< the scalar, in the compute type of `type`
  BufferId buffer = BufferId::kNone;    ///< where it is, once it is in memory
  ValueId sharesWith = ValueId::kNone;  ///< whose memory it has, for a view
  int64_t loads = 0, operations = 0;    ///< in `load`
  bool isExpensive = false;             ///< `load` computes exp or the like
  std::vector<std::string> operators;   ///< that `load` does
};
using LoweredRef = std::shared_ptr<LoweredTensor>;

class GraphLowering;

/// What a rule sees of its operator, and how it gives results.
class NodeLowering {
 public:
  NodeLowering(GraphLowering& graph, const Node& node) : arguments(node), graph_(graph) {}

  NodeArguments arguments;

  /// The tensor of that argument; null when it is None or of a type without loops.
  LoweredRef tensor(std::string_view name);
  std::vector<LoweredRef> tensors(std::string_view name);
  LoweredRef tensor(ValueId id);
  const TensorType& type(ValueId id) const;
  /// The type of result `position`; ids of list results follow each other.
  const TensorType& resultType(size_t position = 0) const;
  std::vector<Index> resultSizes(size_t position = 0) const;
  ElementType resultElement(size_t position = 0) const;
  size_t resultCount() const { return results().size(); }
  /// Whether anybody can use result `position`.
  bool hasResult(size_t position) const { return results()[position] != ValueId::kNone; }
  const std::vector<int64_t>& hints() const;

  /// Gives a result that is computed point by point from `operands`.
  void pointwise(size_t position, LoweredTensor::Load load, std::span<const LoweredRef> operands,
                 int64_t operations, bool isExpensive = false);
  /// Gives a result that is a view of argument `source`, by the coordinates that it reads there.
  void view(size_t position, std::string_view source,
            std::function<std::vector<Index>(PointBuilder&, std::span<const Index>)> coordinates);
  /// The same for a copy.
  void rearranged(size_t position, const LoweredRef& source,
                  std::function<std::vector<Index>(PointBuilder&, std::span<const Index>)>);
  /// Gives a result that is argument `source` itself.
  void same(size_t position, std::string_view source);
  /// Gives results that a nest computes. `values` makes them, one for each of `positions`, at a
  /// point of all loops: first those of `outer`, then `inner`. Results lie at `coordinates`.
  struct NestResult {
    size_t position = 0;
    std::vector<Index> coordinates;  ///< in terms of the loops
    bool isInner = false;
    ScalarId value = ScalarId::kNone;
  };
  void nest(std::vector<Index> outer, std::vector<Index> inner,
            const std::function<std::vector<NestResult>(PointBuilder&)>& values);
  /// A buffer that a nest fills for the operator's own use: `value` for each point of `outer`, in
  /// their order.
  BufferId partialNest(std::vector<Index> outer, std::vector<Index> inner,
                       const std::function<ScalarId(PointBuilder&)>& value);
  /// Puts argument `name` into memory now.
  void realize(std::string_view name);

  /// The operator's name as kernels are named: "add".
  std::string shortName() const;

 private:
  friend class GraphLowering;
  /// The operator's name and those of what its nest computes again of its arguments.
  std::vector<std::string> nestOperators() const;
  std::vector<ValueId> results() const;
  void give(size_t position, LoweredRef tensor);
  GraphLowering& graph_;
};

/// Lowers one operator. False when it cannot for these arguments; it has given nothing then.
using LoweringRule = bool (*)(NodeLowering& node);

/// The rule of an operator, "aten::add"; null for one without.
LoweringRule loweringRule(std::string_view op);
/// How many operators have rules.
size_t loweringRuleCount();

/// The loops of a graph that writes to no input. Operators without a rule become opaque calls.
LoopProgram lowerGraph(const Graph& graph);

}  // namespace jitscope::compiler
