#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jitscope::collector {

/// A buffer that CUPTI has filled.
struct FilledBuffer {
  uint8_t* bytes = nullptr;
  size_t sizeBytes = 0;  ///< of the records in it
};

/// The memory into which CUPTI writes its records: a pool of zeroed buffers of one size, and the
/// queue of those that have come back. Bounded: beyond the limit CUPTI gets none and drops records,
/// which it counts itself. Any thread; never throws.
class ActivityBuffers {
 public:
  /// Small, so that records of a slow program come back soon: a buffer comes back when all of its
  /// records are complete.
  static constexpr size_t kBufferBytes = size_t{64} * 1024;

  explicit ActivityBuffers(size_t mostBytes) : most_(mostBytes / kBufferBytes) {}

  /// A zeroed buffer for CUPTI; null when the limit is reached or there is no memory.
  uint8_t* handOut() noexcept;

  /// Takes a buffer back from CUPTI, with `sizeBytes` of records in it.
  void takeBack(uint8_t* bytes, size_t sizeBytes) noexcept;

  /// The next buffer with records, oldest first; nothing when there is none within `patienceMs`, or
  /// `wake` was called.
  std::optional<FilledBuffer> next(int patienceMs) noexcept;

  /// Makes a buffer from `next` available again.
  void recycle(FilledBuffer buffer) noexcept;

  /// Lets the thread that waits in `next` go on.
  void wake() noexcept;

  /// Waits until every buffer that came back has been recycled; false when that takes longer.
  bool waitUntilIdle(int patienceMs) noexcept;

 private:
  const size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<uint8_t[]>> owned_;
  std::vector<uint8_t*> free_;
  std::deque<FilledBuffer> filled_;
  size_t inWork_ = 0;  ///< given by `next`, not yet recycled
  bool isWoken_ = false;
};

}  // namespace jitscope::collector
