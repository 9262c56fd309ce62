#include "collector/cupti/quiet_thread.h"

#include <pthread.h>
#include <signal.h>

namespace jitscope::collector {

bool startQuietThread(void* (*work)(void*), void* argument) noexcept {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool isStarted = pthread_create(&thread, &attributes, work, argument) == 0;
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return isStarted;
}

}  // namespace jitscope::collector
