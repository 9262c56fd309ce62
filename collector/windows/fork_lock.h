#pragma once

#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>

namespace jitscope::collector {

/// A lock for a few instructions that a forked child finds free, whatever its parent was about to
/// do, and for which nobody waits long: who does not get it (a signal's handler that interrupted
/// the holder) does without.
class ForkLock {
 public:
  /// Holds `lock` while it lives, if it got it.
  class Hold {
   public:
    explicit Hold(ForkLock& lock) noexcept : lock_(lock), isHeld_(lock.take()) {}
    ~Hold() {
      if (isHeld_) lock_.holder_.store(0, std::memory_order_release);
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    explicit operator bool() const { return isHeld_; }

   private:
    ForkLock& lock_;
    const bool isHeld_;
  };

 private:
  static constexpr int kPatience = 100'000;

  bool take() noexcept {
    const pid_t self = getpid();
    for (int attempt = 0; attempt < kPatience; ++attempt) {
      pid_t holder = holder_.load(std::memory_order_relaxed);
      const bool isFree = holder != self;  // or held by a process that this one was forked off
      if (isFree && holder_.compare_exchange_weak(holder, self, std::memory_order_acquire)) {
        return true;
      }
      sched_yield();
    }
    return false;
  }

  std::atomic<pid_t> holder_{0};
};

}  // namespace jitscope::collector
