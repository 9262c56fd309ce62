#pragma once

#include <pthread.h>

#include <cstddef>

namespace jitscope::trace::write {

/// A thread of our own in a program that is not: its stack is of the size that our work needs.
/// std::thread would take the program's limit of stacks, which may be too small to run on, or so
/// large that a small address space has no place for it.
class WorkerThread {
 public:
  /// What the work needs, many times over; and for a program whose thread-local variables, which
  /// the C library puts there too, fill that.
  static constexpr size_t kStackBytes = size_t{512} << 10, kLargeStackBytes = size_t{8} << 20;

  /// Runs `work(argument)`; false when the system gives no thread. Once.
  bool start(void* (*work)(void*), void* argument) noexcept;

  /// Waits until the work is done. Once, after a start.
  void join() noexcept;

 private:
  pthread_t thread_{};
};

}  // namespace jitscope::trace::write
