#include "compiler/frontend/lazy_tensor.h"

#include <typeinfo>

#include "compiler/frontend/lazy_gradient.h"

namespace jitscope::compiler {

LazyTensor::LazyTensor(LazyTensorListener& listener, const TensorFacts& facts)
    : TensorImpl(facts.keys, facts.dataType, facts.device), listener_(&listener) {
  set_sizes_and_strides(facts.sizes, facts.strides, facts.storageOffset);
  // The base adds autograd keys of its own accord.
  key_set_ = facts.keys;
}

at::Tensor LazyTensor::make(LazyTensorListener& listener, const TensorFacts& facts) {
  return at::detail::make_tensor<LazyTensor>(listener, facts);
}

at::Tensor LazyTensor::makeBound(LazyTensorListener& listener, const at::Tensor& real) {
  at::Tensor made = make(listener, TensorFacts::of(real));
  bindLazily(made, real, {});
  if (!real.requires_grad()) tieToBase(made, real);
  return made;
}

LazyTensor* LazyTensor::from(c10::TensorImpl* impl) {
  return typeid(*impl) == typeid(LazyTensor) ? static_cast<LazyTensor*>(impl) : nullptr;
}

LazyTensor* LazyTensor::from(const at::Tensor& tensor) {
  return from(tensor.unsafeGetTensorImpl());
}

void LazyTensor::bindMemory(const at::Tensor& real) {
  auto* impl = real.unsafeGetTensorImpl();
  TORCH_CHECK(impl->sizes() == sizes() && impl->strides() == strides() &&
                  impl->storage_offset() == storage_offset(),
              "jitscope: replay: a value has other sizes than when it was captured");
  storage_ = impl->unsafe_storage();
  set_version_counter(impl->version_counter());
  isBound_ = true;
}

void LazyTensor::tell() const {
  if (listener_) listener_->onDataAccess(*this);
  TORCH_CHECK(isBound_, "jitscope: replay: the memory of a value was needed before it was made");
}

void LazyTensor::disarm() {
  listener_ = nullptr;
  set_custom_sizes_strides(SizesStridesPolicy::Default);
}

c10::IntArrayRef LazyTensor::sizes_custom() const {
  if (listener_) listener_->onSizeRead(*this);
  return sizes_default();
}

int64_t LazyTensor::numel_custom() const {
  if (listener_) listener_->onSizeRead(*this);
  return numel_default();
}

bool LazyTensor::has_storage() const {
  if (C10_UNLIKELY(listener_ != nullptr)) tell();
  return static_cast<bool>(storage_);
}

const at::Storage& LazyTensor::storage() const {
  if (C10_UNLIKELY(listener_ != nullptr)) tell();
  return TensorImpl::storage();
}

c10::intrusive_ptr<c10::TensorImpl> LazyTensor::shallow_copy_and_detach(
    const c10::VariableVersion& version, bool allowChange) const {
  if (listener_) tell();
  return TensorImpl::shallow_copy_and_detach(version, allowChange);
}

c10::intrusive_ptr<c10::TensorImpl> LazyTensor::shallow_copy_and_detach(
    c10::VariableVersion&& version, bool allowChange) const {
  if (listener_) tell();
  return TensorImpl::shallow_copy_and_detach(std::move(version), allowChange);
}

void LazyTensor::shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& other) {
  if (listener_) tell();
  if (auto* lazy = from(other.get()); lazy && lazy->listener_) lazy->tell();
  TensorImpl::shallow_copy_from(other);
}

}  // namespace jitscope::compiler
