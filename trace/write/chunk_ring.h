#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "trace/write/batch.h"

namespace jitscope::trace::write {

/// A packed chunk in memory. `extent.offset` means nothing.
struct KeptChunk {
  ChunkExtent extent;
  std::vector<uint8_t> bytes;
};

/// The chunks of a flight recorder, as they would stand in a file. What lasts stays for ever: its
/// amount is bounded by others. Of names (frames, threads) and context (compilations), which events
/// cannot be understood without, the newest part stays, and of events the last stretch of time.
/// Beyond its bound of memory the oldest goes. For the writer's thread.
class ChunkRing {
 public:
  explicit ChunkRing(size_t mostBytes)
      : names_{.mostBytes = mostBytes / 10},
        context_{.mostBytes = mostBytes / 5},
        events_{.mostBytes = mostBytes - mostBytes / 10 - mostBytes / 5} {}

  void addLasting(const ChunkExtent& extent, std::span<const uint8_t> bytes);
  void addNames(const ChunkExtent& extent, std::span<const uint8_t> bytes);
  void addContext(const ChunkExtent& extent, std::span<const uint8_t> bytes);
  void addEvents(const ChunkExtent& extent, std::span<const uint8_t> bytes);

  /// Gives up events that had ended before that time.
  void forgetBefore(int64_t timeNs);

  const std::deque<KeptChunk>& lasting() const { return lasting_; }
  const std::deque<KeptChunk>& names() const { return names_.chunks; }
  const std::deque<KeptChunk>& context() const { return context_.chunks; }
  const std::deque<KeptChunk>& events() const { return events_.chunks; }

  /// How much memory the chunks have, without those that last.
  size_t bytes() const { return names_.bytes + context_.bytes + events_.bytes; }

  /// Rows that went for want of memory since the last call.
  int64_t takeForgottenEvents() { return std::exchange(events_.forgottenRows, 0); }
  int64_t takeForgottenContext() {
    return std::exchange(context_.forgottenRows, 0) + std::exchange(names_.forgottenRows, 0);
  }

 private:
  struct Part {
    size_t mostBytes = 0;
    std::deque<KeptChunk> chunks{};
    size_t bytes = 0;
    int64_t forgottenRows = 0;
  };
  static void add(Part& part, const ChunkExtent& extent, std::span<const uint8_t> bytes);
  static void dropOldest(Part& part);

  std::deque<KeptChunk> lasting_;
  Part names_, context_, events_;
};

}  // namespace jitscope::trace::write
