#include "compiler/frames/memory_sharing.h"

#include "compiler/frontend/first_equal.h"

namespace jitscope::compiler {

namespace {

const void* storageKey(const at::Tensor& tensor) {
  // unsafe_storage, because asking a lazy tensor for its storage would make it compute. An
  // undefined tensor has none.
  return tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

const void* objectKey(const at::Tensor& tensor) {
  return storageKey(tensor) == nullptr ? nullptr : tensor.unsafeGetTensorImpl();
}

}  // namespace

MemorySharing::MemorySharing(const Leaves& leaves, size_t leafCount) {
  for (uint32_t i = 0; i < leafCount; ++i) {
    if (leaves[i].kind == Leaf::Kind::kTensor) tensors_.push_back({i, 0, 0});
  }
  const auto tensorAt = [&](size_t i) -> const at::Tensor& {
    return *leaves[tensors_[i].leaf].tensor;
  };
  forEachFirst(
      tensors_.size(), [&](size_t i) { return storageKey(tensorAt(i)); },
      [&](size_t i, uint32_t first) {
        tensors_[i].storageOf = first;
        isApart_ &= first == i;
        return true;
      });
  forEachFirst(
      tensors_.size(), [&](size_t i) { return objectKey(tensorAt(i)); },
      [&](size_t i, uint32_t first) {
        tensors_[i].objectOf = first;
        return true;
      });
}

bool MemorySharing::holds(const Leaves& leaves) const {
  if (tensors_.size() < 2) return true;
  const auto tensorAt = [&](size_t i) -> const at::Tensor& {
    return *leaves[tensors_[i].leaf].tensor;
  };
  const auto hasStorageOf = [&](size_t i, uint32_t first) {
    return first == tensors_[i].storageOf;
  };
  const auto isObjectOf = [&](size_t i, uint32_t first) { return first == tensors_[i].objectOf; };
  return forEachFirst(
             tensors_.size(), [&](size_t i) { return storageKey(tensorAt(i)); }, hasStorageOf) &&
         (isApart_ ||
          forEachFirst(
              tensors_.size(), [&](size_t i) { return objectKey(tensorAt(i)); }, isObjectOf));
}

}  // namespace jitscope::compiler
