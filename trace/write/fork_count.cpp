#include "trace/write/fork_count.h"

#include <pthread.h>

namespace jitscope::trace::write {

namespace detail {
constinit std::atomic<uint64_t> forks{0};
}

void watchForks() {
  static const int watching = pthread_atfork(
      nullptr, nullptr, [] { detail::forks.fetch_add(1, std::memory_order_relaxed); });
  static_cast<void>(watching);
}

}  // namespace jitscope::trace::write
