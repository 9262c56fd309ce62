#include "compiler/frames/fixed_tensors.h"

namespace jitscope::compiler {

void FixedTensors::add(uint32_t leaf, const at::Tensor& tensor, bool isIdentityGuarded) {
  const at::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  Tensor guard;
  guard.keys = impl.key_set().raw_repr();
  guard.object = isIdentityGuarded ? &impl : nullptr;
  guard.leaf = leaf;
  guard.rank = static_cast<uint16_t>(impl.dim());
  guard.dtype = impl.dtype();
  guard.device = impl.device();
  guard.requiresGrad = impl.requires_grad();
  tensors_.push_back(guard);
  numbers_.insert(numbers_.end(), impl.sizes().begin(), impl.sizes().end());
  numbers_.insert(numbers_.end(), impl.strides().begin(), impl.strides().end());
}

C10_ALWAYS_INLINE bool FixedTensors::Tensor::holds(const int64_t* numbers,
                                                   const at::TensorImpl& impl) const {
  // First, since an undefined tensor, which has no keys, cannot be asked for the rest.
  if (impl.key_set().raw_repr() != keys) return false;
  if (object != nullptr && object != &impl) return false;
  if (impl.requires_grad() != requiresGrad) return false;
  const c10::IntArrayRef sizes = impl.sizes(), strides = impl.strides();
  if (impl.dtype() != dtype || impl.device() != device || sizes.size() != rank) return false;
  int64_t difference = 0;
  for (size_t d = 0; d < rank; ++d) {
    difference |= (sizes[d] ^ numbers[d]) | (strides[d] ^ numbers[rank + d]);
  }
  return difference == 0;
}

bool FixedTensors::hold(const Leaves& leaves) const {
  const Leaf* const first = leaves.data();
  const int64_t* numbers = numbers_.data();
  for (const Tensor& guard : tensors_) {
    const Leaf& leaf = first[guard.leaf];
    if (leaf.kind != Leaf::Kind::kTensor) return false;
    if (!guard.holds(numbers, *leaf.tensor->unsafeGetTensorImpl())) return false;
    numbers += size_t{2} * guard.rank;
  }
  return true;
}

}  // namespace jitscope::compiler
