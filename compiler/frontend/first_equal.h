#pragma once

#include <c10/util/SmallVector.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace jitscope::compiler {

/// Calls `found(i, first)` for each of `count` addresses, in order, until it gives false: `first`
/// is the position of the first one that is equal to the i-th. Null equals nothing. Whether it came
/// to the end. Linear in `count`; allocates nothing for up to 500 addresses.
template <class AddressOf, class Found>
bool forEachFirst(size_t count, const AddressOf& addressOf, const Found& found) {
  // A hash table whose slots are positions, so that it is small and quickly cleared; mostly empty,
  // since each collision is a branch that no processor foresees.
  const auto bits = static_cast<int>(std::bit_width(4 * count));
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

}  // namespace jitscope::compiler
