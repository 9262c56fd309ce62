#pragma once

#include <cstddef>
#include <cstdint>

namespace jitscope::compiler {

/// Memory that is kept when it is given back, by classes of size, and handed out again last in,
/// first out: what was used last is likely still in a cache. Blocks of 2 MB and more are aligned to
/// huge pages. At most an eighth of the machine's memory is kept. Safe from any thread; never
/// destroyed, since tensors outlive everything.
class MemoryPool {
 public:
  static MemoryPool& instance();

  /// At least `bytes` bytes, aligned to 64; null when the system has no more.
  void* take(size_t bytes);
  /// Gives back what `take` gave. Null is nothing.
  void give(void* memory);
  /// Bytes that are kept for the next who asks.
  int64_t keptBytes() const;
  /// Returns all of them to the system.
  void releaseKept();

 private:
  MemoryPool() = default;
};

}  // namespace jitscope::compiler
