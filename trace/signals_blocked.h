#pragma once

#include <pthread.h>
#include <signal.h>

namespace jitscope::trace {

/// Blocks all signals of the calling thread while it lives, so that a thread started meanwhile
/// never runs a handler of the program and is not killed by SIGXFSZ.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace jitscope::trace
