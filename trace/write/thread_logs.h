#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "trace/write/row_log.h"
#include "trace/write/text_interner.h"

namespace jitscope::trace::write {

/// What one thread holds for one writer.
struct ThreadLog {
  explicit ThreadLog(std::shared_ptr<SegmentPool> pool) : rows(std::move(pool)) {}
  RowLog rows;
  RecentTexts recent;
  std::atomic<bool> isAbandoned{false};  ///< the writer is gone; the thread may forget this
};

/// The logs of all threads that write to one writer. A thread finds its own without a lock; when it
/// ends, its log stays until it has been drained.
class ThreadLogs {
 public:
  explicit ThreadLogs(size_t mostSegments);
  ~ThreadLogs();
  ThreadLogs(const ThreadLogs&) = delete;
  ThreadLogs& operator=(const ThreadLogs&) = delete;

  /// The calling thread's log. Null when there is no memory for one, or when the thread is so near
  /// its end that it can hold nothing any more; use `appendShared` then.
  ThreadLog* mine() noexcept;

  /// Appends a row of a thread without a log.
  bool appendShared(TableId table, std::span<const int64_t> cells) noexcept;

  /// Calls `take(table, cells)` for all rows so far, thread by thread. For the writer's thread.
  template <class Take>
  void drain(Take take) {
    {
      const std::lock_guard lock(mutex_);
      all_.insert(all_.end(), added_.begin(), added_.end());
      added_.clear();
    }
    for (std::shared_ptr<ThreadLog>& log : all_) {
      const bool isLast = log->rows.hasEnded();
      log->rows.drain(take);
      if (isLast) log.reset();
    }
    std::erase(all_, nullptr);
    shared_.drain(take);
  }

 private:
  ThreadLog* addMine() noexcept;

  /// Never used twice, so that a thread cannot mistake a new writer for an old one.
  const uint64_t id_;
  std::shared_ptr<SegmentPool> pool_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<ThreadLog>> added_;  ///< under mutex_
  std::vector<std::shared_ptr<ThreadLog>> all_;    ///< the writer's thread's
  std::mutex sharedMutex_;
  RowLog shared_;
};

}  // namespace jitscope::trace::write
