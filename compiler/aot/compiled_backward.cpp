#include "compiler/aot/compiled_backward.h"

#include <ATen/ops/add.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <utility>

#include "compiler/aot/below_autograd.h"

namespace jitscope::compiler {
namespace {

/// Hands the gradient of one result on.
struct ResultNode final : torch::autograd::Node {
  torch::autograd::variable_list apply(torch::autograd::variable_list&& gradients) override {
    return std::move(gradients);
  }
  std::string name() const override { return "CompiledFunctionResult"; }
};

}  // namespace

CompiledBackward::CompiledBackward(std::vector<BackwardPart> parts, std::vector<SubGraph> graphs,
                                   std::vector<at::Tensor> constants,
                                   std::span<const at::Tensor> tangents, StepCompiler compiler)
    : constants_(std::move(constants)), compiler_(std::move(compiler)) {
  for (size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts_.emplace_back();
    part.shape = std::move(parts[i]);
    part.graph = std::move(graphs[i]);
  }
  for (const at::Tensor& tangent : tangents) {
    layouts_.push_back({tangent.sizes().vec(), tangent.strides().vec()});
  }
}

void CompiledBackward::compileWhole(std::span<const at::Tensor> saved,
                                    std::span<const at::Tensor> tangents) {
  Part& whole = parts_.front();
  std::vector<at::Tensor> offered(saved.begin(), saved.end());
  offered.insert(offered.end(), constants_.begin(), constants_.end());
  offered.insert(offered.end(), tangents.begin(), tangents.end());
  std::vector<at::Tensor> examples;
  for (const size_t position : whole.graph.inputs) examples.push_back(offered[position]);
  std::call_once(whole.once, [&] {
    whole.call = compiler_.compile(Step::kBackward, whole.graph.graph, examples);
  });
}

std::vector<at::Tensor> CompiledBackward::runPart(Part& part, std::span<const at::Tensor> saved,
                                                  std::span<const at::Tensor> tangents,
                                                  std::span<const int64_t> symbols) {
  std::vector<at::Tensor> offered(saved.begin(), saved.end());
  offered.insert(offered.end(), constants_.begin(), constants_.end());
  offered.insert(offered.end(), tangents.begin(), tangents.end());
  std::vector<at::Tensor> taken;
  taken.reserve(part.graph.inputs.size());
  for (const size_t position : part.graph.inputs) taken.push_back(offered[position]);
  std::call_once(part.once,
                 [&] { part.call = compiler_.compile(Step::kBackward, part.graph.graph, taken); });
  const auto outputs = part.call(taken, symbols);
  std::vector<at::Tensor> gradients;
  auto source = part.graph.wanted.begin();
  for (const ValueId id : part.shape.gradients) {
    if (id == ValueId::kNone) {
      gradients.emplace_back();
      continue;
    }
    gradients.push_back(source->isInput ? offered[source->position] : outputs[source->position]);
    ++source;
  }
  return gradients;
}

std::vector<at::Tensor> CompiledBackward::run(std::span<const at::Tensor> saved,
                                              std::vector<at::Tensor> tangents,
                                              std::span<const int64_t> symbols) {
  const BelowAutograd below;
  std::vector<bool> hasTangent;
  for (size_t i = 0; i < tangents.size(); ++i) {
    at::Tensor& tangent = tangents[i];
    hasTangent.push_back(tangent.defined());
    if (!tangent.defined() || tangent.strides() == at::IntArrayRef(layouts_[i].strides)) continue;
    const auto traced =
        at::empty_strided(layouts_[i].sizes, layouts_[i].strides, tangent.options());
    tangent = traced.copy_(tangent);
  }
  const auto exact = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) {
    return part.shape.hasTangent == hasTangent;
  });
  if (exact != parts_.end()) return runPart(*exact, saved, tangents, symbols);
  // Gradients are linear in the tangents. The order of the sums may be another than autograd's.
  std::vector<at::Tensor> sums(parts_.front().shape.gradients.size());
  for (size_t i = 0; i < tangents.size(); ++i) {
    if (!hasTangent[i]) continue;
    const auto only = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) {
      const auto& has = part.shape.hasTangent;
      return has[i] && std::count(has.begin(), has.end(), true) == 1;
    });
    const auto gradients = runPart(*only, saved, tangents, symbols);
    for (size_t j = 0; j < sums.size(); ++j) {
      if (!gradients[j].defined()) continue;
      sums[j] = sums[j].defined() ? at::add(sums[j], gradients[j]) : gradients[j];
    }
  }
  return sums;
}

torch::autograd::variable_list TracedBackward::apply(torch::autograd::variable_list&& gradients) {
  const std::scoped_lock lock(mutex_);
  TORCH_CHECK(!isReleased_,
              "Trying to backward through the graph a second time (or directly access saved "
              "tensors after they have already been freed). Saved intermediate values of the graph "
              "are freed when you call .backward() or autograd.grad(). Specify retain_graph=True "
              "if you need to backward through the graph a second time or if you need to access "
              "saved tensors after calling backward.");
  TORCH_CHECK(!c10::GradMode::is_enabled(),
              "jitscope: a function that is compiled ahead of time cannot be differentiated twice "
              "(create_graph=true); compile it with backend \"eager\"");
  std::vector<at::Tensor> saved;
  for (const auto& variable : saved_) saved.push_back(variable.unpack(shared_from_this()));
  auto made = backward_->run(saved, std::move(gradients), symbols_);
  giveHooksZeros(made);
  return made;
}

/// A hook that was registered after the call, and that eagerly would not be called, is given zeros
/// rather than no tensor at all.
void TracedBackward::giveHooksZeros(std::vector<at::Tensor>& gradients) const {
  for (size_t i = 0; i < gradients.size(); ++i) {
    const auto& edge = next_edge(i);
    if (gradients[i].defined() || !edge.is_valid()) continue;
    if (edge.function->tensor_pre_hooks().empty()) continue;
    gradients[i] = edge.function->input_metadata(edge.input_nr).zeros_like();
  }
}

void addHistory(at::Tensor result, const std::shared_ptr<TracedBackward>& node,
                bool isOneOfSeveral) {
  if (!isOneOfSeveral) return torch::autograd::create_gradient_edge(result, node);
  const auto own = std::shared_ptr<ResultNode>(new ResultNode(), torch::autograd::deleteNode);
  own->add_next_edge({node, node->add_input_metadata(result)});
  torch::autograd::create_gradient_edge(result, own);
}

void TracedBackward::release_variables() {
  const std::scoped_lock lock(mutex_);
  saved_.clear();
  isReleased_ = true;
}

}  // namespace jitscope::compiler
