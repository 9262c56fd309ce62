#include "compiler/frontend/storage_clone.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>

#include <cstring>

namespace jitscope::compiler {

namespace {

constexpr size_t kLargestContent = size_t{1} << 16;

}  // namespace

c10::Storage cloneStorage(const c10::Storage& storage) {
  const at::AutoDispatchBelowADInplaceOrView belowAutograd;
  const auto options = at::TensorOptions(at::kByte).device(storage.device());
  const at::Tensor bytes = at::empty({0}, options).set_(storage);
  return at::clone(bytes).storage();
}

at::Tensor onStorage(const c10::Storage& storage, const TensorFacts& facts) {
  auto tensor =
      at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage), facts.keys, facts.dataType);
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(facts.sizes, facts.strides,
                                                      facts.storageOffset);
  return tensor;
}

bool isSmallOnHost(const c10::Storage& storage) {
  return storage && storage.device_type() == c10::kCPU && storage.nbytes() <= kLargestContent;
}

bool isSmallOnHost(const at::Tensor& tensor) {
  return isSmallOnHost(tensor.unsafeGetTensorImpl()->unsafe_storage()) && !tensor.requires_grad() &&
         !tensor.is_conj() && !tensor.is_neg() && tensor.is_non_overlapping_and_dense();
}

bool isSameContent(const at::Tensor& left, const at::Tensor& right) {
  if (left.dtype() != right.dtype() || left.sizes() != right.sizes() ||
      left.strides() != right.strides()) {
    return false;
  }
  const size_t size = left.nbytes();
  return size == 0 || std::memcmp(left.const_data_ptr(), right.const_data_ptr(), size) == 0;
}

bool isSameContent(const c10::Storage& left, const c10::Storage& right) {
  const size_t size = left.nbytes();
  return size == right.nbytes() && (size == 0 || std::memcmp(left.data(), right.data(), size) == 0);
}

}  // namespace jitscope::compiler
