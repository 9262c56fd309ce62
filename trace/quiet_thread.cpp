#include "trace/quiet_thread.h"

#include <initializer_list>

#include "trace/signals_blocked.h"

namespace jitscope::trace {

bool startQuietThread(void* (*work)(void*), void* argument, size_t stackBytes,
                      pthread_t* joined) noexcept {
  const SignalsBlocked blocked;  // a thread begins with the mask of who starts it
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  if (!joined) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  bool isStarted = false;
  for (const size_t bytes : {stackBytes, kUsualStackBytes}) {
    isStarted = isStarted || (pthread_attr_setstacksize(&attributes, bytes) == 0 &&
                              pthread_create(&thread, &attributes, work, argument) == 0);
  }
  pthread_attr_destroy(&attributes);
  if (isStarted && joined) *joined = thread;
  return isStarted;
}

}  // namespace jitscope::trace
