#pragma once

#include <pthread.h>

namespace jitscope::collector {

/// While one lives, nobody's pthread_cancel acts on the calling thread; it stays pending. Acting on
/// it would unwind frames of ours that let nothing through, and so end the program.
class CancellationOff {
 public:
  CancellationOff() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~CancellationOff() { pthread_setcancelstate(before_, nullptr); }
  CancellationOff(const CancellationOff&) = delete;
  CancellationOff& operator=(const CancellationOff&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace jitscope::collector
