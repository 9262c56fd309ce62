#include "compiler/frontend/autograd_hook.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/VariableHooksInterface.h>

#include <atomic>
#include <functional>
#include <utility>

#include "compiler/frontend/lazy_tensor.h"

namespace jitscope::compiler {
namespace {

using Hooks = at::impl::VariableHooksInterface;

LazyTensor* armed(const at::TensorBase& tensor) {
  if (!tensor.defined()) return nullptr;
  auto* lazy = LazyTensor::from(tensor.unsafeGetTensorImpl());
  return lazy && lazy->listener() ? lazy : nullptr;
}

/// For what shows or changes a tensor's history.
void tell(const at::TensorBase& tensor, const char* what) {
  if (auto* lazy = armed(tensor)) lazy->listener()->onGradientAccess(*lazy, what);
}

/// For what only needs a history to be there.
void tellIfUnbound(const at::TensorBase& tensor, const char* what) {
  if (auto* lazy = armed(tensor); lazy && !lazy->isBound()) {
    lazy->listener()->onGradientAccess(*lazy, what);
  }
}

/// Stands before LibTorch's own hooks.
class ListeningHooks final : public Hooks {
 public:
  explicit ListeningHooks(Hooks& inner) : inner_(inner) {}

  at::TensorBase tensor_data(const at::TensorBase& self) const override {
    return inner_.tensor_data(self);
  }
  at::TensorBase variable_data(const at::TensorBase& self) const override {
    return inner_.variable_data(self);
  }
  // The type of nodes' pointers differs between LibTorch versions.
  auto grad_fn(const at::TensorBase& self) const
      -> decltype(std::declval<const Hooks&>().grad_fn(self)) override {
    tell(self, "grad_fn");
    return inner_.grad_fn(self);
  }
  unsigned _register_hook(
      const at::TensorBase& self,
      std::function<at::TensorBase(const at::TensorBase&)> hook) const override {
    tell(self, "register_hook");
    return inner_._register_hook(self, std::move(hook));
  }
  void remove_hook(const at::TensorBase& self, unsigned position) const override {
    tell(self, "remove_hook");
    inner_.remove_hook(self, position);
  }
  bool is_view(const at::TensorBase& self) const override {
    tellIfUnbound(self, "is_view");
    return inner_.is_view(self);
  }
  const at::TensorBase& base(const at::TensorBase& self) const override {
    tellIfUnbound(self, "_base");
    return inner_.base(self);
  }
  const std::string& name(const at::TensorBase& self) const override { return inner_.name(self); }
  bool is_leaf(const at::TensorBase& self) const override {
    tellIfUnbound(self, "is_leaf");
    return inner_.is_leaf(self);
  }
  int64_t output_nr(const at::TensorBase& self) const override {
    tellIfUnbound(self, "output_nr");
    return inner_.output_nr(self);
  }
  void set_data(const at::TensorBase& self, const at::TensorBase& data) const override {
    tell(self, "set_data");
    tell(data, "set_data");
    inner_.set_data(self, data);
  }
  at::TensorBase data(const at::TensorBase& self) const override { return inner_.data(self); }
  int64_t _version(const at::TensorBase& self) const override { return inner_._version(self); }
  void retain_grad(const at::TensorBase& self) const override {
    tell(self, "retain_grad");
    inner_.retain_grad(self);
  }
  bool retains_grad(const at::TensorBase& self) const override {
    tellIfUnbound(self, "retains_grad");
    return inner_.retains_grad(self);
  }
  void _backward(const at::Tensor& self, at::TensorList inputs,
                 const std::optional<at::Tensor>& gradient, std::optional<bool> keepGraph,
                 bool createGraph) const override {
    tell(self, "backward");
    inner_._backward(self, inputs, gradient, keepGraph, createGraph);
  }
  void requires_grad_(const at::TensorBase& self, bool value) const override {
    tell(self, "requires_grad_");
    inner_.requires_grad_(self, value);
  }
  void basic_autograd_not_implemented_fallback(const c10::OperatorHandle& op,
                                               c10::DispatchKeySet keys,
                                               torch::jit::Stack* stack) const override {
    inner_.basic_autograd_not_implemented_fallback(op, keys, stack);
  }
  std::optional<c10::ScalarType> grad_dtype(const at::TensorBase& self) const override {
    return inner_.grad_dtype(self);
  }
  void set_grad_dtype(const at::TensorBase& self,
                      const std::optional<c10::ScalarType>& type) const override {
    tell(self, "set_grad_dtype");
    inner_.set_grad_dtype(self, type);
  }

 private:
  Hooks& inner_;
};

}  // namespace

void installAutogradHook() {
  // Other threads may be reading LibTorch's pointer meanwhile. It is a plain one behind functions
  // of another library: each reads or writes it with one instruction, so that a reader has the old
  // hooks or ours. Either serves it: both live on, and ours only pass on what threads do that have
  // not been here. Whoever gets ours must find them whole, which the fence is for: it orders their
  // making before the write, and a reader's loads depend on the pointer.
  static const bool isInstalled = [] {
    // Never destroyed: tensors may be used until the process ends.
    auto* const hooks = new ListeningHooks(*at::impl::GetVariableHooks());
    std::atomic_thread_fence(std::memory_order_release);
    at::impl::SetVariableHooks(hooks);
    return true;
  }();
  (void)isInstalled;
}

}  // namespace jitscope::compiler
