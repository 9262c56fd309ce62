#include "compiler/frontend/storage_clone.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/empty.h>

#include <cstring>

namespace jitscope::compiler {

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

bool isSameNumber(const at::Tensor& left, const at::Tensor& right) {
  return std::memcmp(left.const_data_ptr(), right.const_data_ptr(), left.itemsize()) == 0;
}

}  // namespace jitscope::compiler
