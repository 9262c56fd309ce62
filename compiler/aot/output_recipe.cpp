#include "compiler/aot/output_recipe.h"

#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/alias.h>

namespace jitscope::compiler {
namespace {

/// Does the views again, on real tensors. A view that the function made without gradient mode is
/// made so here.
at::Tensor viewOf(const at::Tensor& viewed, const OutputRecipe& recipe) {
  const at::AutoGradMode gradMode(recipe.isMadeInGradMode);
  at::Tensor view = recipe.views.empty() ? viewed.alias()
                                         : at::functionalization::impl::apply_view_meta_sequence(
                                               viewed, recipe.views);
  return !recipe.requiresGrad && view.requires_grad() ? view.detach() : view;
}

}  // namespace

std::vector<at::Tensor> makeOutputs(std::span<const OutputRecipe> recipes,
                                    const CallTensors& tensors) {
  using Kind = OutputRecipe::Kind;
  std::vector<at::Tensor> outputs;
  outputs.reserve(recipes.size());
  for (const OutputRecipe& recipe : recipes) {
    switch (recipe.kind) {
      case Kind::kAbsent:
        outputs.emplace_back();
        break;
      case Kind::kSlot:
        outputs.push_back(tensors.slots[recipe.index]);
        break;
      case Kind::kArgument:
        outputs.push_back(tensors.arguments[recipe.index]);
        break;
      case Kind::kOutput:
        outputs.push_back(outputs[recipe.index]);
        break;
      case Kind::kViewOfPrimal: {
        const at::Tensor& before = tensors.beforeLayout[recipe.index];
        const at::Tensor& primal = tensors.primals[recipe.index];
        outputs.push_back(viewOf(before.defined() ? before : primal, recipe));
        break;
      }
      case Kind::kViewOfSlot: {
        const at::Tensor& slot = tensors.slots[recipe.index];
        outputs.push_back(recipe.views.empty() ? slot : viewOf(slot, recipe));
        break;
      }
    }
  }
  return outputs;
}

}  // namespace jitscope::compiler
