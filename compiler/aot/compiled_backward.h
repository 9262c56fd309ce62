#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "compiler/aot/joint_graph.h"
#include "compiler/aot/partition.h"
#include "compiler/aot/step_compiler.h"

namespace jitscope::compiler {

/// The backward part of a traced function, compiled: one graph for each choice of gradients that
/// come in, made when it is first needed. Safe to use from several threads at once.
class CompiledBackward {
 public:
  /// Of one joint graph. `tangents` are examples: gradients of other layout are copied into theirs.
  CompiledBackward(std::vector<BackwardPart> parts, std::vector<SubGraph> graphs,
                   std::vector<at::Tensor> constants, std::span<const at::Tensor> tangents,
                   StepCompiler compiler);

  /// Compiles the graph for all tangents now, with examples of the saved values.
  void compileWhole(std::span<const at::Tensor> saved, std::span<const at::Tensor> tangents);

  /// The gradients of the primals, undefined where autograd gives none. Undefined tangents are
  /// those that no gradient came for.
  std::vector<at::Tensor> run(std::span<const at::Tensor> saved, std::vector<at::Tensor> tangents,
                              std::span<const int64_t> symbols);

  size_t tangentCount() const { return layouts_.size(); }

 private:
  struct Layout {
    std::vector<int64_t> sizes, strides;
  };
  struct Part {
    BackwardPart shape;
    SubGraph graph;
    std::once_flag once;
    CompiledGraph call;
  };

  std::vector<at::Tensor> runPart(Part& part, std::span<const at::Tensor> saved,
                                  std::span<const at::Tensor> tangents,
                                  std::span<const int64_t> symbols);

  std::deque<Part> parts_;
  std::vector<at::Tensor> constants_;
  std::vector<Layout> layouts_;
  StepCompiler compiler_;
};

/// One call of a traced function in the autograd graph.
class TracedBackward final : public torch::autograd::Node {
 public:
  TracedBackward(std::shared_ptr<CompiledBackward> backward, std::span<const int64_t> symbols)
      : backward_(std::move(backward)), symbols_(symbols.begin(), symbols.end()) {}

  /// Keeps a tensor for the backward pass. `isOutput`: it is a result that this node is the history
  /// of.
  void save(const at::Tensor& tensor, bool isOutput) { saved_.emplace_back(tensor, isOutput); }

  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override;
  void release_variables() override;
  std::string name() const override { return "CompiledFunctionBackward"; }

 private:
  void giveHooksZeros(std::vector<at::Tensor>& gradients) const;

  std::shared_ptr<CompiledBackward> backward_;
  std::vector<int64_t> symbols_;
  std::vector<torch::autograd::SavedVariable> saved_;
  bool isReleased_ = false;
};

/// Makes `node` the history of a result. Where it is that of several, each of them hangs on a
/// function of its own before it: hooks of results that no gradient comes for are then not called,
/// as eagerly.
void addHistory(at::Tensor result, const std::shared_ptr<TracedBackward>& node,
                bool isOneOfSeveral);

}  // namespace jitscope::compiler
