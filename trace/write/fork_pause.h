#pragma once

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

 private:
  friend struct ForkPauses;
  std::timed_mutex work_;
  bool isHeldByFork_ = false;
  ForkPause* previous_ = nullptr;
  ForkPause* next_ = nullptr;
};

}  // namespace jitscope::trace::write
