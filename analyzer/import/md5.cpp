#include "analyzer/import/md5.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

namespace jitscope::analyzer {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kLanes = 8;
/// Enough to keep every lane busy, little enough to stay in the cache.
constexpr size_t kBatchBytes = size_t{256} << 10;

constexpr Md5 kStart{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

constexpr std::array<int, 16> kShifts{7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

constexpr std::array<uint32_t, 64> kSines{
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/// The same word of all lanes. The compiler makes of it what the machine has.
using Words = uint32_t __attribute__((vector_size(4 * kLanes)));

struct State {
  Words a, b, c, d;
};

/// One step of the algorithm's 64, in which only the mixing differs.
template <size_t kStep>
inline void step(State& s, const Words& word) {
  constexpr size_t kRound = kStep / 16;
  constexpr int kShift = kShifts[kRound * 4 + kStep % 4];
  Words mixed;
  if constexpr (kRound == 0)
    mixed = s.d ^ (s.b & (s.c ^ s.d));
  else if constexpr (kRound == 1)
    mixed = s.c ^ (s.d & (s.b ^ s.c));
  else if constexpr (kRound == 2)
    mixed = s.b ^ s.c ^ s.d;
  else
    mixed = s.c ^ (s.b | ~s.d);
  const Words sum = s.a + mixed + kSines[kStep] + word;
  const Words turned = (sum << kShift) | (sum >> (32 - kShift));
  s = {s.d, s.b + turned, s.b, s.c};
}

template <size_t kStep>
constexpr size_t wordOf() {
  constexpr std::array<size_t, 4> kFactor{1, 5, 3, 7}, kOffset{0, 1, 5, 0};
  return (kFactor[kStep / 16] * kStep + kOffset[kStep / 16]) % 16;
}

template <size_t... kSteps>
inline void mixAll(State& s, const std::array<Words, 16>& words, std::index_sequence<kSteps...>) {
  (step<kSteps>(s, words[wordOf<kSteps>()]), ...);
}

inline uint32_t littleWord(const char* bytes) {
  uint32_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap32(word);
  return word;
}

// On a machine with wider registers the second version runs; both are the same source.
#if defined(__x86_64__) && defined(__linux__)
__attribute__((target_clones("avx2", "default")))
#endif
void mixBlocks(State& state, const std::array<const char*, kLanes>& blocks) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): every lane is written below
  std::array<Words, 16> words;
  for (size_t w = 0; w < words.size(); ++w) {
    for (size_t lane = 0; lane < kLanes; ++lane) words[w][lane] = littleWord(blocks[lane] + 4 * w);
  }
  State s = state;
  mixAll(s, words, std::make_index_sequence<64>());
  state.a += s.a;
  state.b += s.b;
  state.c += s.c;
  state.d += s.d;
}

/// One text on its way through a lane: its whole blocks, then one or two with padding and length.
struct Lane {
  const Md5Checker::Job* job = nullptr;
  const char* next = nullptr;
  size_t blocksLeft = 0;  ///< of the text
  size_t tailLeft = 0, tailNext = 0;
  std::array<char, 2 * kBlockBytes> tail{};

  void start(const Md5Checker::Job& of, const char* text) {
    job = &of;
    next = text;
    blocksLeft = of.size / kBlockBytes;
    const size_t rest = of.size % kBlockBytes;
    tail.fill(0);
    std::memcpy(tail.data(), text + of.size - rest, rest);
    tail[rest] = static_cast<char>(0x80);
    tailLeft = rest + 9 > kBlockBytes ? 2 : 1;
    tailNext = 0;
    uint64_t bits = static_cast<uint64_t>(of.size) * 8;
    for (size_t i = 0; i < 8; ++i, bits >>= 8)
      tail[tailLeft * kBlockBytes - 8 + i] = static_cast<char>(bits & 0xff);
  }

  bool isDone() const { return blocksLeft + tailLeft == 0; }

  const char* takeBlock() {
    if (blocksLeft > 0) {
      const char* const block = next;
      next += kBlockBytes;
      --blocksLeft;
      return block;
    }
    --tailLeft;
    return tail.data() + kBlockBytes * tailNext++;
  }
};

/// Runs all jobs through the lanes; a lane that is done takes the next job.
void runJobs(std::span<const Md5Checker::Job> jobs, const char* batch,
             const std::function<void(const Md5Checker::Job&, const Md5&)>& done) {
  static constexpr std::array<char, kBlockBytes> kIdle{};
  std::array<Lane, kLanes> lanes;
  State state{};
  size_t next = 0, busy = 0;
  const auto refill = [&](size_t at) {
    lanes[at].job = nullptr;
    if (next == jobs.size()) return;
    lanes[at].start(jobs[next], batch + jobs[next].offset);
    ++next;
    ++busy;
    state.a[at] = kStart[0];
    state.b[at] = kStart[1];
    state.c[at] = kStart[2];
    state.d[at] = kStart[3];
  };
  for (size_t at = 0; at < kLanes; ++at) refill(at);
  while (busy > 0) {
    std::array<const char*, kLanes> blocks{};
    for (size_t at = 0; at < kLanes; ++at)
      blocks[at] = lanes[at].job == nullptr ? kIdle.data() : lanes[at].takeBlock();
    mixBlocks(state, blocks);
    for (size_t at = 0; at < kLanes; ++at) {
      if (lanes[at].job == nullptr || !lanes[at].isDone()) continue;
      done(*lanes[at].job, {state.a[at], state.b[at], state.c[at], state.d[at]});
      --busy;
      refill(at);
    }
  }
}

int hexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Md5 md5Of(std::string_view text) {
  Md5 result{};
  const Md5Checker::Job job{0, 0, text.size(), {}};
  runJobs({&job, 1}, text.data(),
          [&](const Md5Checker::Job&, const Md5& digest) { result = digest; });
  return result;
}

bool parseMd5(std::string_view digits, Md5& digest) {
  if (digits.size() != 32) return false;
  for (size_t word = 0; word < 4; ++word) {
    digest[word] = 0;
    for (size_t byte = 0; byte < 4; ++byte) {
      const int high = hexValue(digits[word * 8 + byte * 2]);
      const int low = hexValue(digits[word * 8 + byte * 2 + 1]);
      if (high < 0 || low < 0) return false;
      digest[word] |= static_cast<uint32_t>(high * 16 + low) << (8 * byte);
    }
  }
  return true;
}

void Md5Checker::add(int64_t tag, std::string_view text, const Md5& expected) {
  jobs_.push_back({tag, batch_.size(), text.size(), expected});
  batch_ += text;
  if (batch_.size() >= kBatchBytes) finish();
}

void Md5Checker::finish() {
  // Long ones first, so that the lanes end together.
  std::stable_sort(jobs_.begin(), jobs_.end(),
                   [](const Job& a, const Job& b) { return a.size > b.size; });
  runJobs(jobs_, batch_.data(),
          [&](const Job& job, const Md5& digest) { answer_(job.tag, digest == job.expected); });
  jobs_.clear();
  batch_.clear();
}

}  // namespace jitscope::analyzer
