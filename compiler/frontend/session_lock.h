#pragma once

#include <atomic>
#include <thread>

namespace jitscope::compiler {

/// Lets one thread at a time into a session, the same one several times. Nearly always it is the
/// thread of user code, so that taking it must cost next to nothing.
class SessionLock {
 public:
  void lock() {
    const auto self = std::this_thread::get_id();
    if (owner_.load(std::memory_order_relaxed) != self) {
      for (std::thread::id nobody; !owner_.compare_exchange_weak(
               nobody, self, std::memory_order_acquire, std::memory_order_relaxed);
           nobody = {}) {
        std::this_thread::yield();
      }
    }
    ++depth_;
  }

  void unlock() {
    if (--depth_ == 0) owner_.store({}, std::memory_order_release);
  }

 private:
  std::atomic<std::thread::id> owner_{};
  int depth_ = 0;
};

}  // namespace jitscope::compiler
