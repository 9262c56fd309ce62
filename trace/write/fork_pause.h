#pragma once

#include <atomic>
#include <mutex>

namespace jitscope::trace::write {

/// Work of the writer's thread that a fork waits for. A child that is forked off in the middle of
/// it would have the memory, but not the thread that was about to give it back, nor the owner of
/// the locks that the thread held: those of the program's allocator, for one. No fork waits for
/// long, so that a disk that hangs does not hang the program.
class ForkPause {
 public:
  ForkPause();
  ~ForkPause();
  ForkPause(const ForkPause&) = delete;
  ForkPause& operator=(const ForkPause&) = delete;

  /// To be held during the work, by one thread.
  std::timed_mutex& work() { return work_; }

  /// Amid work that takes long: gives `work()` to a fork that waits for it, and takes it again. All
  /// memory must be reachable from objects that a child keeps, and no lock held but `work()`.
  void letForkPass();

 private:
  friend struct ForkPauses;
  std::timed_mutex work_;
  bool isHeldByFork_ = false;
  std::atomic<bool> isWanted_{false};  ///< a fork waits
  ForkPause* previous_ = nullptr;
  ForkPause* next_ = nullptr;
};

}  // namespace jitscope::trace::write
