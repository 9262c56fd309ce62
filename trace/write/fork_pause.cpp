#include "trace/write/fork_pause.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>

namespace jitscope::trace::write {

/// All that live in this process. Without a destructor: threads may fork while the process ends.
struct ForkPauses {
  static constexpr std::chrono::milliseconds kPatience{20};
  constinit static inline pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  constinit static inline ForkPause* first = nullptr;

  static void watch() {
    static const int watching = pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
    static_cast<void>(watching);
  }

  static void add(ForkPause& pause) {
    pthread_mutex_lock(&mutex);
    pause.next_ = first;
    if (first != nullptr) first->previous_ = &pause;
    first = &pause;
    pthread_mutex_unlock(&mutex);
  }

  static void remove(ForkPause& pause) {
    pthread_mutex_lock(&mutex);
    if (pause.next_ != nullptr) pause.next_->previous_ = pause.previous_;
    if (pause.previous_ != nullptr) pause.previous_->next_ = pause.next_;
    if (first == &pause) first = pause.next_;
    pthread_mutex_unlock(&mutex);
  }

  static void beforeFork() {
    pthread_mutex_lock(&mutex);
    for (ForkPause* pause = first; pause != nullptr; pause = pause->next_) {
      pause->isWanted_ = true;
      pause->isHeldByFork_ = pause->work_.try_lock_for(kPatience);
      pause->isWanted_ = false;
    }
  }

  static void afterForkInParent() {
    for (ForkPause* pause = first; pause != nullptr; pause = pause->next_) {
      if (pause->isHeldByFork_) pause->work_.unlock();
    }
    pthread_mutex_unlock(&mutex);
  }

  /// The parent's writers stay as they are: nobody here works for them.
  static void afterForkInChild() {
    first = nullptr;
    pthread_mutex_unlock(&mutex);
  }
};

ForkPause::ForkPause() {
  ForkPauses::watch();
  ForkPauses::add(*this);
}

ForkPause::~ForkPause() { ForkPauses::remove(*this); }

// A mutex alone would go to who gave it up, sooner than to who has to be woken for it.
void ForkPause::letForkPass() {
  if (!isWanted_) return;
  work_.unlock();
  while (isWanted_) sched_yield();
  work_.lock();
}

}  // namespace jitscope::trace::write
