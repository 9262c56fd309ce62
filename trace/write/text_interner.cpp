#include "trace/write/text_interner.h"

#include <new>
#include <utility>

#include "trace/format/layout.h"
#include "trace/format/xxhash64.h"

namespace jitscope::trace::write {
namespace {

constexpr size_t kLongBytes = 1024;
constexpr uint64_t kSecondSeed = 0x5ca1ab1e;

}  // namespace

TextKey keyOf(std::string_view text) noexcept {
  return {format::xxhash64(text.data(), text.size()),
          format::xxhash64(text.data(), text.size(), kSecondSeed)};
}

std::optional<StringId> TextInterner::intern(const TextKey& key, std::string_view text) noexcept {
  const std::lock_guard lock(mutex_);
  if (const auto place = ids_.find(key); place != ids_.end()) return place->second;
  const size_t waiting = waitingBytes_.load(std::memory_order_relaxed) + text.size();
  const size_t most = text.size() > kLongBytes ? mostWaitingBytes_ / 2 : mostWaitingBytes_;
  if (ids_.size() >= mostTexts_ || waiting > most) return std::nullopt;
  try {
    TextPiece& piece = growingPiece(text.size());
    const auto id = static_cast<StringId>(piece.end());
    // All memory is taken before anything is changed.
    piece.bytes.reserve(piece.bytes.size() + text.size());
    if (piece.lengths.size() == piece.lengths.capacity()) {
      piece.lengths.reserve(2 * piece.lengths.size() + 16);
    }
    ids_.emplace(key, id);
    piece.lengths.push_back(static_cast<int64_t>(text.size()));
    piece.bytes.append(text);
    waitingBytes_.fetch_add(text.size(), std::memory_order_relaxed);
    return id;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

/// The piece that a text of `bytes` still fits into. Needs mutex_.
TextPiece& TextInterner::growingPiece(size_t bytes) {
  const bool fits = !new_.empty() && new_.back().lengths.size() < format::kMaxRows &&
                    new_.back().bytes.size() + bytes <= format::kMaxTextBytes;
  if (!fits) {
    TextPiece& piece = new_.emplace_back();
    piece.first = static_cast<uint32_t>(ids_.size() + 1);
  }
  return new_.back();
}

TextPiece TextInterner::takeNew() noexcept {
  const std::lock_guard lock(mutex_);
  if (new_.empty()) return {};
  TextPiece piece = std::move(new_.front());
  new_.pop_front();
  return piece;
}

}  // namespace jitscope::trace::write
