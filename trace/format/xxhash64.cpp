#include "trace/format/xxhash64.h"

#include <array>
#include <bit>
#include <cstring>

namespace jitscope::trace::format {
namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
constexpr uint64_t kPrime3 = 0x165667B19E3779F9;
constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5;

template <class Word>
uint64_t load(const uint8_t* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

uint64_t round(uint64_t lane, uint64_t word) {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

uint64_t hashStripes(const uint8_t*& bytes, const uint8_t* end, uint64_t seed) {
  std::array<uint64_t, 4> lanes = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
  for (; end - bytes >= 32; bytes += 32) {
    for (size_t i = 0; i < 4; ++i) lanes[i] = round(lanes[i], load<uint64_t>(bytes + 8 * i));
  }
  uint64_t hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
                  std::rotl(lanes[3], 18);
  for (const uint64_t lane : lanes) hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
  return hash;
}

}  // namespace

uint64_t xxhash64(const void* start, size_t size, uint64_t seed) noexcept {
  const auto* bytes = static_cast<const uint8_t*>(start);
  const uint8_t* const end = bytes + size;
  uint64_t hash = size >= 32 ? hashStripes(bytes, end, seed) : seed + kPrime5;
  hash += size;
  for (; end - bytes >= 8; bytes += 8) {
    hash = std::rotl(hash ^ round(0, load<uint64_t>(bytes)), 27) * kPrime1 + kPrime4;
  }
  if (end - bytes >= 4) {
    hash = std::rotl(hash ^ load<uint32_t>(bytes) * kPrime1, 23) * kPrime2 + kPrime3;
    bytes += 4;
  }
  for (; bytes < end; ++bytes) hash = std::rotl(hash ^ *bytes * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace jitscope::trace::format
