#pragma once

#include <sched.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace jitscope::collector {

/// A lock for a few instructions that a forked child finds free, whatever its parent was about to
/// do, as does everybody when its holder has died. A signal's handler that interrupted the holder
/// does without it at once. Others wait, but never for ever: the holder may be held up by a handler
/// that waits for them. Changes errno.
class ForkLock {
 public:
  /// How long to wait for another thread.
  enum class Patience : int {
    kBrief = 100,    ///< a hundredth of a second or so, for what can be made up for later
    kLong = 20'000,  ///< seconds
  };

  /// Holds `lock` while it lives, if it got it.
  class Hold {
   public:
    explicit Hold(ForkLock& lock, Patience patience = Patience::kLong) noexcept
        : lock_(lock), isHeld_(lock.take(patience)) {}
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
  static constexpr int kYields = 1'000;
  static constexpr timespec kPause{0, 100'000};
  static constexpr int kProcessShift = 32;

  /// A thread, with its process: in a child that is forked off it is nobody's.
  static int64_t mine() noexcept {
    return int64_t{getpid()} << kProcessShift | static_cast<int64_t>(syscall(SYS_gettid));
  }

  static bool isGone(int64_t thread) noexcept {
    const auto process = static_cast<pid_t>(thread >> kProcessShift);
    const auto id = static_cast<pid_t>(thread);
    return process != getpid() || (syscall(SYS_tgkill, process, id, 0) != 0 && errno == ESRCH);
  }

  bool take(Patience patience) noexcept {
    const int64_t self = mine();
    const int attempts = kYields + static_cast<int>(patience);
    for (int attempt = 0; attempt < attempts; ++attempt) {
      int64_t holder = holder_.load(std::memory_order_relaxed);
      if (holder == self) return false;
      const bool isFree = holder == 0 || isGone(holder);
      if (isFree && holder_.compare_exchange_strong(holder, self, std::memory_order_acquire)) {
        return true;
      }
      if (attempt < kYields) {
        sched_yield();
      } else {
        syscall(SYS_nanosleep, &kPause, nullptr);  // not the function, which threads may end in
      }
    }
    return false;
  }

  std::atomic<int64_t> holder_{0};
};

}  // namespace jitscope::collector
