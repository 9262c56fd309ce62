#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "trace/schema.h"

namespace jitscope::trace::write {

/// A piece of a RowLog: records one after the other, each a word with its table and length and then
/// its cells. The producer fills it and publishes how far; the consumer reads up to there.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): words are written before they are read
struct RowSegment {
  static constexpr size_t kWords = 4096 - 4;
  std::atomic<uint32_t> published{0};
  uint32_t consumed = 0;
  std::atomic<RowSegment*> next{nullptr};
  std::array<int64_t, kWords> words;
};

/// The memory of all RowLogs of one writer: bounded, so that a disk that does not keep up makes
/// rows get lost instead of the program's memory.
class SegmentPool {
 public:
  explicit SegmentPool(size_t mostSegments) : mostSegments_(mostSegments) {}

  /// An empty segment; null when the bound is reached or there is no memory. Any thread.
  std::unique_ptr<RowSegment> take() noexcept;

  /// Gives a segment back. Any thread.
  void giveBack(std::unique_ptr<RowSegment> segment) noexcept;

  /// Segments that were taken and not given back.
  size_t usedSegments() const { return used_.load(std::memory_order_relaxed); }

 private:
  const size_t mostSegments_;
  std::atomic<size_t> used_{0};
  std::mutex mutex_;
  std::vector<std::unique_ptr<RowSegment>> free_;
};

/// The rows of one thread on their way to the writer's thread: one producer, one consumer, no lock.
class RowLog {
 public:
  explicit RowLog(std::shared_ptr<SegmentPool> pool) : pool_(std::move(pool)) {}
  ~RowLog();
  RowLog(const RowLog&) = delete;
  RowLog& operator=(const RowLog&) = delete;

  /// Producer: appends one row. False when there is no memory left for it.
  bool append(TableId table, std::span<const int64_t> cells) noexcept {
    const size_t needed = cells.size() + 1;
    if (tail_ == nullptr || filled_ + needed > RowSegment::kWords) {
      if (!startSegment(needed)) return false;
    }
    int64_t* const record = tail_->words.data() + filled_;
    record[0] = static_cast<int64_t>(static_cast<uint64_t>(table) << 32 | cells.size());
    std::copy(cells.begin(), cells.end(), record + 1);
    filled_ += needed;
    tail_->published.store(static_cast<uint32_t>(filled_), std::memory_order_release);
    return true;
  }

  /// Producer: says that no more rows will come.
  void end() noexcept { hasEnded_.store(true, std::memory_order_release); }

  /// Consumer: whether no more rows will come. Ask before draining for the last time.
  bool hasEnded() const { return hasEnded_.load(std::memory_order_acquire); }

  /// Consumer: calls `take(table, cells)` for each row published so far, in order.
  template <class Take>
  void drain(Take take) {
    if (head_ == nullptr) head_.reset(first_.exchange(nullptr, std::memory_order_acquire));
    while (head_ != nullptr) {
      // Looked at before `published`: a segment that has a successor is not written to any more.
      RowSegment* const next = head_->next.load(std::memory_order_acquire);
      const uint32_t published = head_->published.load(std::memory_order_acquire);
      while (head_->consumed < published) {
        const int64_t* const record = head_->words.data() + head_->consumed;
        const auto size = static_cast<uint32_t>(record[0]);
        head_->consumed += 1 + size;
        take(static_cast<TableId>(static_cast<uint64_t>(record[0]) >> 32),
             std::span<const int64_t>(record + 1, size));
      }
      if (next == nullptr) return;
      pool_->giveBack(std::move(head_));
      head_.reset(next);
    }
  }

 private:
  bool startSegment(size_t neededWords) noexcept;

  std::shared_ptr<SegmentPool> pool_;
  RowSegment* tail_ = nullptr;  ///< the producer's; owned through the chain that begins at head_
  size_t filled_ = 0;
  std::atomic<RowSegment*> first_{nullptr};  ///< handed to the consumer once
  std::unique_ptr<RowSegment> head_;         ///< the consumer's
  std::atomic<bool> hasEnded_{false};
};

}  // namespace jitscope::trace::write
