#pragma once

#include <cstddef>
#include <cstdint>

namespace jitscope::trace::format {

/// XXH64 of `size` bytes: the checksum of trace files and the hash of their dictionary.
uint64_t xxhash64(const void* bytes, size_t size, uint64_t seed = 0) noexcept;

}  // namespace jitscope::trace::format
