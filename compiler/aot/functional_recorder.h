#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "compiler/aot/joint_graph.h"
#include "compiler/frontend/dispatch_hook.h"

namespace jitscope::compiler {

/// Writes down the functional operators that functionalization makes of what runs, as a graph.
///
/// One dispatch key serves both levels. Kernels of Functionalize call each operator afresh with
/// Functionalize excluded: then it is the functional operator on plain tensors, and is recorded.
/// All other calls go on to the next level. Throws Refusal for what must not be in a graph: a write
/// to one of its tensors, declared or not, and arguments and results that no graph can hold.
class FunctionalRecorder final : public OperatorTracer {
 public:
  /// The operators that will be called from outside are those of `captured`, in its order.
  explicit FunctionalRecorder(const Graph& captured);

  /// From here on the operators are those of the captured graph.
  void beginFunction() { place_.stage = Stage::kFunction; }

  /// Makes a plain tensor an input of the graph.
  ValueId addInput(const at::Tensor& plain);

  /// The value of a plain tensor that is an input or that a recorded operator made. Throws Refusal
  /// for others.
  ValueId recordedId(const at::Tensor& plain) const;

  /// From here on they are those of no operator, then those of backward passes.
  void endFunction() { place_.stage = Stage::kAfter; }
  void beginBackward();

  void onDispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack& stack) override;

  const std::vector<at::Tensor>& constants() const { return constants_; }
  /// The tensor that a value was while it was recorded.
  const at::Tensor& tensorOf(ValueId id) const { return tensors_[static_cast<size_t>(id)]; }

  /// What was recorded: nodes, their facts, and values without names. Inputs, outputs and parts are
  /// the caller's to fill in.
  JointGraph take(std::vector<ValueId>& constantIds);

 private:
  struct Written;
  enum class Stage { kBefore, kFunction, kAfter, kBackward };

  void pass(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);
  void record(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack& stack);
  Argument argumentOf(const c10::IValue& value, const c10::Argument& parameter,
                      const c10::OperatorHandle& op);
  ValueId readId(const at::Tensor& tensor, const c10::Argument& parameter,
                 const c10::OperatorHandle& op);
  NodeResult resultOf(const c10::IValue& value);
  ValueId define(const at::Tensor& plain);
  ValueId constantId(const at::Tensor& plain, const c10::OperatorHandle& op);
  bool isNoise(std::span<const c10::IValue> values) const;
  size_t originOfNode() const;

  const Graph& captured_;
  JointGraph joint_;
  std::unordered_map<const c10::TensorImpl*, ValueId> ids_;
  std::vector<at::Tensor> tensors_;  ///< of each value; kept, so that no address is used again
  std::vector<at::Tensor> constants_;
  std::vector<ValueId> constantIds_;
  std::vector<size_t> operators_;  ///< the captured graph's nodes that are operators
  struct {
    Stage stage = Stage::kBefore;
    int depth = 0;                                      ///< of the running call
    bool isInPlace = false;                             ///< the last call that went on
    size_t operators = 0;                               ///< called so far
    std::vector<std::pair<uint64_t, size_t>> sequence;  ///< autograd's number where each began
  } place_;
};

}  // namespace jitscope::compiler
