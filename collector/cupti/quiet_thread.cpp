#include "collector/cupti/quiet_thread.h"

#include <pthread.h>

#include "trace/signals_blocked.h"

namespace jitscope::collector {

bool startQuietThread(void* (*work)(void*), void* argument) noexcept {
  const trace::SignalsBlocked blocked;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool isStarted = pthread_create(&thread, &attributes, work, argument) == 0;
  pthread_attr_destroy(&attributes);
  return isStarted;
}

}  // namespace jitscope::collector
