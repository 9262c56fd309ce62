#include "compiler/frontend/lazy_gradient.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/variable.h>

#include "compiler/frontend/lazy_tensor.h"

namespace jitscope::compiler {
namespace {

namespace autograd = torch::autograd;

/// The base that a view of `real` shall have in user code; undefined when `real` is no view.
at::Tensor baseInUserCode(const at::Tensor& real, const StandIns& standIns) {
  auto* view = autograd::impl::get_view_autograd_meta(real);
  if (!view || !view->has_bw_view()) return {};
  at::Tensor base = view->get_backward_view().base_;
  for (const auto& [inside, outside] : standIns) {
    if (inside.is_same(base)) return outside;
  }
  return base;
}

/// Whether a view was written to after it was made in a way that autograd cannot follow.
bool isWrittenWithoutHistory(const at::Tensor& real) {
  const auto* view = autograd::impl::get_view_autograd_meta(real);
  return view->get_creation_meta() != autograd::CreationMeta::DEFAULT &&
         view->get_attr_version() != real._version();
}

void becomeView(const at::Tensor& lazy, const at::Tensor& base, autograd::CreationMeta creation) {
  auto* impl = lazy.unsafeGetTensorImpl();
  impl->set_autograd_meta(std::make_unique<autograd::DifferentiableViewMeta>(
      impl, autograd::ViewInfo(base, nullptr, nullptr), std::nullopt, true, creation));
}

}  // namespace

void bindLazily(const at::Tensor& lazy, const at::Tensor& real, const StandIns& standIns) {
  LazyTensor::from(lazy)->bindMemory(real);
  if (!real.requires_grad()) return;
  auto* impl = lazy.unsafeGetTensorImpl();
  impl->set_autograd_meta(nullptr);
  const at::Tensor base = baseInUserCode(real, standIns);
  if (base.defined()) {
    const auto* realView = autograd::impl::get_view_autograd_meta(real);
    becomeView(lazy, base, realView->get_creation_meta());
    auto* view = autograd::impl::get_view_autograd_meta(lazy);
    view->set_attr_version(realView->get_attr_version());
    // LibTorch refuses the history of such a view when user code asks for it, not before.
    if (isWrittenWithoutHistory(real)) return;
  }
  // A view that was made without gradient mode has none, but its base may.
  if (const auto& history = real.grad_fn()) {
    autograd::impl::set_gradient_edge(lazy, {history, static_cast<uint32_t>(real.output_nr())});
  } else if (!base.defined()) {
    impl->set_requires_grad(true);
  }
  if (auto* view = autograd::impl::get_view_autograd_meta(lazy)) {
    view->set_attr_version(impl->version_counter().current_version());
  }
}

void tieToBase(const at::Tensor& lazy, const at::Tensor& real) {
  const auto* view = autograd::impl::get_view_autograd_meta(real);
  if (!view || !view->has_bw_view()) return;
  becomeView(lazy, view->get_backward_view().base_, view->get_creation_meta());
  autograd::impl::get_view_autograd_meta(lazy)->set_attr_version(view->get_attr_version());
}

void returnState(const at::Tensor& tensor, const at::Tensor& standIn) {
  auto* impl = tensor.unsafeGetTensorImpl();
  if (!TensorFacts::of(standIn).hasSameLayout(tensor) || storageOf(tensor) != storageOf(standIn)) {
    impl->shallow_copy_from(standIn.getIntrusivePtr());
  }
  if (!standIn.requires_grad()) return;
  if (const auto& history = standIn.grad_fn()) {
    autograd::impl::set_gradient_edge(tensor,
                                      {history, static_cast<uint32_t>(standIn.output_nr())});
  } else {
    impl->set_requires_grad(true);
  }
}

void expectGradient(const at::Tensor& lazy) { lazy.unsafeGetTensorImpl()->set_requires_grad(true); }

bool isInBackwardPass() { return autograd::get_current_graph_task_id() != -1; }

}  // namespace jitscope::compiler
