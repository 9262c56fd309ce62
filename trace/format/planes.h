#pragma once

#include <cstddef>
#include <cstdint>

namespace jitscope::trace::format {

/// Splits `rows` values into `planes` byte planes, least significant first: byte k of value i
/// becomes out[k * rows + i].
void splitPlanes(const uint64_t* values, size_t rows, size_t planes, uint8_t* out) noexcept;

/// Undoes splitPlanes: `sources[k]` is plane k. Bytes of planes that are not given are zero.
void joinPlanes(const uint8_t* const* sources, size_t rows, size_t planes, uint64_t* out) noexcept;

}  // namespace jitscope::trace::format
