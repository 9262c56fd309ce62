#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "trace/writer.h"

namespace jitscope::collector {

/// The texts of this process's trace by their ids, kept for a process that is forked off: producers
/// go on using the ids that they were given, so the child's file must give the same texts the same
/// ids. Safe from any thread; a reader that was forked off sees all texts that were complete.
/// Bounded: very long texts, and those beyond a total, are not kept; in the child they read as
/// lost. Never frees: it must outlive every thread that still runs while the process ends.
class Dictionary {
 public:
  /// Remembers that `id` stands for `text`; the first text of an id stays. The text is copied.
  void remember(trace::StringId id, std::string_view text) noexcept;

  /// Bounds the memory for the texts that are still to come.
  void keepAtMost(size_t bytes) noexcept { mostBytes_.store(bytes, std::memory_order_relaxed); }

  /// The text of `id`; empty when it is not kept.
  std::string_view text(trace::StringId id) const noexcept;

  /// Gives all texts to `writer`, which is new, in the order of their ids, so that it hands out the
  /// same ids.
  void teach(trace::FileWriter& writer) const noexcept;

 private:
  struct Text {
    uint32_t sizeBytes;
    char bytes[1];
  };
  static constexpr size_t kLongestBytes = size_t{64} * 1024;
  static constexpr uint32_t kChunkTexts = 4096;
  static constexpr uint32_t kChunks = 4096;
  using Chunk = std::array<std::atomic<Text*>, kChunkTexts>;

  std::atomic<Text*>* slot(uint32_t id) noexcept;
  const Text* find(uint32_t id) const noexcept;

  std::array<std::atomic<Chunk*>, kChunks> chunks_{};
  std::atomic<uint32_t> lastId_{0};
  std::atomic<size_t> keptBytes_{0};
  std::atomic<size_t> mostBytes_{size_t{64} * 1024 * 1024};
};

}  // namespace jitscope::collector
