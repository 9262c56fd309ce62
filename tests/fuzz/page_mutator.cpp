#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

extern "C" size_t LLVMFuzzerMutate(uint8_t* bytes, size_t size, size_t mostBytes);

/// How libFuzzer changes a database: pages mostly. SQLite refuses one whose header is wrong before
/// it looks at anything else, and one whose size is no number of pages.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t mostBytes,
                                          unsigned int seed) {
  constexpr size_t kHeaderBytes = 100, kPageBytes = 512;
  constexpr unsigned int kHeaderSeldom = 16;
  if (size <= kHeaderBytes || seed % kHeaderSeldom == 0)
    return LLVMFuzzerMutate(bytes, size, mostBytes);
  uint8_t header[kHeaderBytes];
  std::copy_n(bytes, kHeaderBytes, header);
  size_t changed = LLVMFuzzerMutate(bytes, size, mostBytes);
  for (; changed % kPageBytes != 0 && changed < mostBytes; ++changed) bytes[changed] = 0;
  std::copy_n(header, std::min(kHeaderBytes, changed), bytes);
  return changed;
}
