#include "trace/write/row_log.h"

#include <new>

namespace jitscope::trace::write {
namespace {

constexpr size_t kMostFreeSegments = 256;

}  // namespace

std::unique_ptr<RowSegment> SegmentPool::take() noexcept {
  if (used_.fetch_add(1, std::memory_order_relaxed) >= mostSegments_) {
    used_.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  std::unique_ptr<RowSegment> segment;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      segment = std::move(free_.back());
      free_.pop_back();
    }
  }
  // Not value-initialised: the words would be cleared, and most of them never be used.
  if (segment == nullptr) segment.reset(new (std::nothrow) RowSegment);
  if (segment == nullptr) used_.fetch_sub(1, std::memory_order_relaxed);
  return segment;
}

void SegmentPool::giveBack(std::unique_ptr<RowSegment> segment) noexcept {
  used_.fetch_sub(1, std::memory_order_relaxed);
  segment->published.store(0, std::memory_order_relaxed);
  segment->next.store(nullptr, std::memory_order_relaxed);
  segment->consumed = 0;
  const std::lock_guard lock(mutex_);
  if (free_.size() == kMostFreeSegments) return;
  try {
    free_.push_back(std::move(segment));
  } catch (const std::bad_alloc&) {  // then it is freed instead of kept
  }
}

bool RowLog::startSegment(size_t neededWords) noexcept {
  if (neededWords > RowSegment::kWords) return false;
  RowSegment* const segment = pool_->take().release();
  if (segment == nullptr) return false;
  if (tail_ == nullptr) {
    first_.store(segment, std::memory_order_release);
  } else {
    tail_->next.store(segment, std::memory_order_release);
  }
  tail_ = segment;
  filled_ = 0;
  return true;
}

RowLog::~RowLog() {
  if (head_ == nullptr) head_.reset(first_.load(std::memory_order_acquire));
  while (head_ != nullptr) {
    RowSegment* const next = head_->next.load(std::memory_order_acquire);
    pool_->giveBack(std::move(head_));
    head_.reset(next);
  }
}

}  // namespace jitscope::trace::write
