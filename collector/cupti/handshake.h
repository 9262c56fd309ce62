#pragma once

#include <semaphore.h>

#include <atomic>

namespace jitscope::collector {

/// Waits for `semaphore`, also when signals' handlers cut in; false when time runs out.
bool waitFor(sem_t& semaphore, int patienceMs) noexcept;

/// A request that one thread answers to another.
class Handshake {
 public:
  Handshake() { sem_init(&answered_, 0, 0); }

  void ask() noexcept { isAsked_ = true; }
  /// Whether there is a request; it is taken by this.
  bool take() noexcept { return isAsked_.exchange(false); }
  void answer() noexcept { sem_post(&answered_); }
  bool waitForAnswer(int patienceMs) noexcept { return waitFor(answered_, patienceMs); }

 private:
  std::atomic<bool> isAsked_{false};
  sem_t answered_{};
};

}  // namespace jitscope::collector
