#include "compiler/frames/memory_sharing.h"

#include <bit>

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

/// Calls `found(i, first)` for each of `count` addresses, in order, until it gives false: `first`
/// is the position of the first one that is equal to the i-th. Null equals nothing. Whether it came
/// to the end.
template <class AddressOf, class Found>
bool forEachFirst(size_t count, const AddressOf& addressOf, const Found& found) {
  // A hash table whose slots are positions, so that it is small and quickly cleared; mostly empty,
  // since each collision is a branch that no processor foresees.
  const int bits = std::bit_width(4 * count);
  c10::SmallVector<uint32_t, 2048> slots(size_t{1} << bits, 0);  // position + 1; 0: nothing
  c10::SmallVector<const void*, 512> addresses;
  addresses.resize_for_overwrite(count);
  uint32_t* const table = slots.data();
  const void** const known = addresses.data();
  const size_t mask = slots.size() - 1;
  for (uint32_t i = 0; i < count; ++i) {
    const void* const address = known[i] = addressOf(i);
    uint32_t first = i;
    if (address != nullptr) {
      size_t slot = (reinterpret_cast<uintptr_t>(address) * 0x9E3779B97F4A7C15u) >> (64 - bits);
      while (table[slot] != 0 && known[table[slot] - 1] != address) slot = (slot + 1) & mask;
      if (table[slot] == 0) table[slot] = i + 1;
      first = table[slot] - 1;
    }
    if (!found(i, first)) return false;
  }
  return true;
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
