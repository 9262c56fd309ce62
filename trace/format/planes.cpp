#include "trace/format/planes.h"

#include <algorithm>
#include <array>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace jitscope::trace::format {
namespace {

void splitRow(uint64_t value, size_t row, size_t rows, size_t planes, uint8_t* out) {
  for (size_t k = 0; k < planes; ++k) out[k * rows + row] = static_cast<uint8_t>(value >> 8 * k);
}

uint64_t joinRow(const uint8_t* const* sources, size_t row, size_t planes) {
  uint64_t value = 0;
  for (size_t k = 0; k < planes; ++k) value |= uint64_t{sources[k][row]} << 8 * k;
  return value;
}

#if defined(__SSE2__)
/// Eight rows of eight bytes. Interleaving the first with the second half rotates the six bits of a
/// byte's index by one; three times exchange row and column.
struct Tile {
  __m128i rows[4];

  void transpose() {
    for (int step = 0; step < 3; ++step) {
      const __m128i first = _mm_unpacklo_epi8(rows[0], rows[2]);
      const __m128i second = _mm_unpackhi_epi8(rows[0], rows[2]);
      const __m128i third = _mm_unpacklo_epi8(rows[1], rows[3]);
      const __m128i fourth = _mm_unpackhi_epi8(rows[1], rows[3]);
      rows[0] = first, rows[1] = second, rows[2] = third, rows[3] = fourth;
    }
  }

  /// Of rows with at most four bytes that are not 0, given as planes: half the work of a transpose.
  static Tile ofNarrow(const __m128i* planes) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i low = _mm_unpacklo_epi8(planes[0], planes[1]);
    const __m128i high = _mm_unpacklo_epi8(planes[2], planes[3]);
    const __m128i first = _mm_unpacklo_epi16(low, high), second = _mm_unpackhi_epi16(low, high);
    return {{_mm_unpacklo_epi32(first, zero), _mm_unpackhi_epi32(first, zero),
             _mm_unpacklo_epi32(second, zero), _mm_unpackhi_epi32(second, zero)}};
  }
};

/// Joins eight rows at a time, as far as there are so many; gives how many rows it joined.
template <size_t kPlanes>
size_t joinEights(const uint8_t* const* sources, size_t rows, uint64_t* out) {
  // Copied: for all the compiler knows, `out` might overlap the pointers.
  const uint8_t* planes[8] = {};
  std::copy(sources, sources + kPlanes, planes);
  size_t row = 0;
  for (; row + 8 <= rows; row += 8) {
    __m128i lines[8] = {};
    for (size_t k = 0; k < kPlanes; ++k) {
      lines[k] = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(planes[k] + row));
    }
    Tile tile;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below, on a hot path
    if constexpr (kPlanes <= 4) {
      tile = Tile::ofNarrow(lines);
    } else {
      for (size_t i = 0; i < 4; ++i) {
        tile.rows[i] = _mm_unpacklo_epi64(lines[2 * i], lines[2 * i + 1]);
      }
      tile.transpose();
    }
    for (size_t i = 0; i < 4; ++i) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + row + 2 * i), tile.rows[i]);
    }
  }
  return row;
}

using JoinEights = size_t (*)(const uint8_t* const* sources, size_t rows, uint64_t* out);

/// By the number of planes, so that the loops over planes are unrolled.
constexpr std::array<JoinEights, 9> kJoinEights = {joinEights<0>, joinEights<1>, joinEights<2>,
                                                   joinEights<3>, joinEights<4>, joinEights<5>,
                                                   joinEights<6>, joinEights<7>, joinEights<8>};
#endif

}  // namespace

void splitPlanes(const uint64_t* values, size_t rows, size_t planes, uint8_t* out) noexcept {
  size_t row = 0;
#if defined(__SSE2__)
  for (; row + 8 <= rows; row += 8) {
    Tile tile;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below, on a hot path
    for (size_t i = 0; i < 4; ++i) {
      tile.rows[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(values + row + 2 * i));
    }
    tile.transpose();
    for (size_t k = 0; k < planes; ++k) {
      const __m128i pair = tile.rows[k / 2];
      const __m128i plane = k % 2 == 0 ? pair : _mm_unpackhi_epi64(pair, pair);
      _mm_storel_epi64(reinterpret_cast<__m128i*>(out + k * rows + row), plane);
    }
  }
#endif
  for (; row < rows; ++row) splitRow(values[row], row, rows, planes, out);
}

void joinPlanes(const uint8_t* const* sources, size_t rows, size_t planes, uint64_t* out) noexcept {
  size_t row = 0;
#if defined(__SSE2__)
  row = kJoinEights[planes](sources, rows, out);
#endif
  for (; row < rows; ++row) out[row] = joinRow(sources, row, planes);
}

}  // namespace jitscope::trace::format
