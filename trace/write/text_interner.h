#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace/schema.h"
#include "trace/write/text_piece.h"

namespace jitscope::trace::write {

/// 128 bits that stand for a text. Texts themselves are not kept once they are written, so equal
/// keys count as equal texts.
struct TextKey {
  uint64_t first = 0, second = 0;
  bool operator==(const TextKey&) const = default;
};

TextKey keyOf(std::string_view text) noexcept;

/// What one thread interned lately.
class RecentTexts {
 public:
  std::optional<StringId> find(const TextKey& key) const noexcept {
    const Entry& entry = entries_[key.first % kEntries];
    return entry.key == key ? std::optional(entry.id) : std::nullopt;
  }
  void remember(const TextKey& key, StringId id) noexcept {
    entries_[key.first % kEntries] = {key, id};
  }

 private:
  static constexpr size_t kEntries = 512;
  struct Entry {
    TextKey key;
    StringId id{};
  };
  std::array<Entry, kEntries> entries_{};
};

/// Gives each distinct text of a file its id. Memory is bounded: ids stay, texts go to the file.
class TextInterner {
 public:
  static constexpr size_t kMostTexts = 8'000'000;
  static constexpr size_t kMostWaitingBytes = size_t{128} << 20;

  /// Bounds: how many texts there may be, and how many bytes of them may wait. A long text finds
  /// the bound at half of that, so that long ones never leave no room for names.
  explicit TextInterner(size_t mostTexts = kMostTexts, size_t mostWaitingBytes = kMostWaitingBytes)
      : mostTexts_(mostTexts), mostWaitingBytes_(mostWaitingBytes) {}

  /// The id of `text`; nothing when it cannot be kept (no memory, too many texts wait for the
  /// disk). Any thread.
  std::optional<StringId> intern(const TextKey& key, std::string_view text) noexcept;

  /// Gives out what came since the last call, or the first part of it when that is more than a
  /// chunk holds; empty when nothing came. For the writer's thread.
  TextPiece takeNew() noexcept;

  /// Says that so many bytes of texts have reached the file, or were given up.
  void release(size_t bytes) noexcept { waitingBytes_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  struct KeyHash {
    size_t operator()(const TextKey& key) const { return key.first; }
  };
  TextPiece& growingPiece(size_t bytes);

  const size_t mostTexts_, mostWaitingBytes_;
  std::mutex mutex_;
  std::unordered_map<TextKey, StringId, KeyHash> ids_;
  std::deque<TextPiece> new_;  ///< the last one is still growing
  std::atomic<size_t> waitingBytes_{0};
};

}  // namespace jitscope::trace::write
