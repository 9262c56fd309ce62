#include "trace/write/worker_thread.h"

#include <initializer_list>

namespace jitscope::trace::write {

bool WorkerThread::start(void* (*work)(void*), void* argument) noexcept {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  bool isStarted = false;
  for (const size_t bytes : {kStackBytes, kLargeStackBytes}) {
    isStarted = isStarted || (pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                              pthread_create(&thread_, &attributes, work, argument) == 0);
  }
  pthread_attr_destroy(&attributes);
  return isStarted;
}

void WorkerThread::join() noexcept { pthread_join(thread_, nullptr); }

}  // namespace jitscope::trace::write
