#include "compiler/aot/input_effects.h"

#include <ATen/FunctionalStorageImpl.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/alias.h>

#include "compiler/aot/refusal.h"
#include "compiler/aot/tensor_version.h"
#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {
namespace {

namespace functional = at::functionalization;

/// Writes `content` to a real tensor as the function did.
void write(const InputEffect& effect, const at::Tensor& primal, const at::Tensor& content) {
  const bool isLeaf = primal.requires_grad() && primal.is_leaf();
  const bool isPlain = !primal.requires_grad() && !content.requires_grad();
  if (!effect.isUnseenByAutograd && !isLeaf && !isPlain) {
    primal.copy_(content);
    return;
  }
  const at::NoGradGuard noGrad;
  primal.copy_(content);
}

}  // namespace

InputEffect effectOn(const TracedPrimal& primal, int64_t versions) {
  const at::Tensor& wrapper = primal.wrapper;
  auto* functionalImpl = functional::impl::unsafeGetFunctionalWrapper(wrapper);
  if (storageOf(wrapper) != primal.storage) throw Refusal("an input got another storage");
  if (wrapper.is_leaf() && wrapper.mutable_grad().defined()) {
    throw Refusal("the gradient of an input was written");
  }
  InputEffect effect;
  effect.isWritten = functionalImpl->has_data_mutation();
  effect.hasNewLayout = functionalImpl->has_metadata_mutation();
  effect.isUnseenByAutograd =
      effect.isWritten && functionalImpl->are_all_mutations_under_no_grad_or_inference_mode();
  const bool gainedGradient =
      wrapper.requires_grad() && !primal.requiresGrad && effect.isWritten && wrapper.grad_fn();
  if (wrapper.requires_grad() != primal.requiresGrad && !gainedGradient) {
    throw Refusal("whether an input requires gradient was changed");
  }
  effect.versions = versions;
  if (!effect.hasNewLayout) return effect;
  effect.sizes = wrapper.sizes().vec();
  effect.strides = wrapper.strides().vec();
  // The wrapper's own offset stays 0.
  effect.storageOffset = functional::impl::from_functional_tensor(wrapper).storage_offset();
  return effect;
}

at::Tensor writtenContent(const TracedPrimal& primal, InputEffect& effect) {
  auto* functionalImpl = functional::impl::unsafeGetFunctionalWrapper(primal.wrapper);
  at::Tensor value = functional::impl::from_functional_tensor(primal.wrapper);
  if (functionalImpl->view_metas().empty()) return value;
  effect.isLayoutFirst = primal.wrapper.requires_grad() && !effect.isUnseenByAutograd;
  if (effect.isLayoutFirst) return value;
  auto* storage = primal.wrapper.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
  return static_cast<functional::FunctionalStorageImpl*>(storage)->base();
}

std::vector<at::Tensor> applyEffects(std::span<const InputEffect> effects,
                                     std::span<const at::Tensor> primals,
                                     std::span<const at::Tensor> slots) {
  std::vector<at::Tensor> before(primals.size());
  for (size_t i = 0; i < effects.size(); ++i) {
    const InputEffect& effect = effects[i];
    if (!effect.isAny()) continue;
    const at::Tensor& primal = primals[i];
    const int64_t version = primal.is_inference() ? 0 : primal._version();
    const auto changeLayout = [&] {
      before[i] = primal.alias();
      primal.as_strided_(effect.sizes, effect.strides, effect.storageOffset);
    };
    if (effect.hasNewLayout && effect.isLayoutFirst) changeLayout();
    if (effect.isWritten) write(effect, primal, slots[effect.slot]);
    if (effect.hasNewLayout && !effect.isLayoutFirst) changeLayout();
    if (!primal.is_inference()) setVersion(primal, version + effect.versions);
  }
  return before;
}

}  // namespace jitscope::compiler
