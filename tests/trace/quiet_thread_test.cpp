#include "trace/quiet_thread.h"

#include <gtest/gtest.h>
#include <semaphore.h>
#include <signal.h>

namespace jitscope::trace {
namespace {

/// What a quiet thread finds itself to be.
struct Seen {
  sigset_t blocked{};
  size_t stackBytes = 0;
  int detachState = -1;
  sem_t done{};
};

void* look(void* seen) {
  auto& self = *static_cast<Seen*>(seen);
  pthread_sigmask(SIG_BLOCK, nullptr, &self.blocked);
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &self.stackBytes);
  pthread_attr_getdetachstate(&attributes, &self.detachState);
  pthread_attr_destroy(&attributes);
  sem_post(&self.done);
  return nullptr;
}

Seen seenWith(size_t stackBytes) {
  Seen seen;
  pthread_t thread{};
  EXPECT_TRUE(startQuietThread(look, &seen, stackBytes, &thread));
  pthread_join(thread, nullptr);
  return seen;
}

constexpr size_t kSomeBytes = size_t{1} << 20;

/// While it lives, threads that ask for no size get one that is not `kSomeBytes`, as under a limit.
class OtherDefault {
 public:
  explicit OtherDefault(size_t bytes) {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes;
    pthread_getattr_default_np(&attributes);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
    EXPECT_EQ(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
  }
  ~OtherDefault() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  OtherDefault(const OtherDefault&) = delete;
  OtherDefault& operator=(const OtherDefault&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(QuietThread, TakesNoSignalsAndLeavesThoseOfItsStarter) {
  sigset_t before, after;
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  const Seen seen = seenWith(kSomeBytes);
  pthread_sigmask(SIG_BLOCK, nullptr, &after);
  for (const int signal :
       {SIGINT, SIGTERM, SIGUSR1, SIGALRM, SIGPROF, SIGXFSZ, SIGRTMIN, SIGRTMAX}) {
    EXPECT_EQ(sigismember(&seen.blocked, signal), 1) << signal;
    EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
  }
}

TEST(QuietThread, HasAStackOfItsOwnSizeWhateverTheProgramsThreadsGet) {
  for (const size_t usual : {size_t{64} << 10, size_t{64} << 20}) {
    const OtherDefault other(usual);
    const size_t bytes = seenWith(kSomeBytes).stackBytes;
    EXPECT_GE(bytes, kSomeBytes / 2) << usual;
    EXPECT_LT(bytes, kSomeBytes * 2) << usual;
  }
}

TEST(QuietThread, HasALargerStackWhereTheAskedOneIsTooSmall) {
  const size_t bytes = seenWith(1).stackBytes;
  EXPECT_GE(bytes, kUsualStackBytes / 2);
  EXPECT_LT(bytes, kUsualStackBytes * 2);
}

TEST(QuietThread, IsLeftAloneWhereNobodyWillJoinIt) {
  Seen seen;
  sem_init(&seen.done, 0, 0);
  ASSERT_TRUE(startQuietThread(look, &seen, kSomeBytes));
  while (sem_wait(&seen.done) != 0) {
  }
  EXPECT_EQ(seen.detachState, PTHREAD_CREATE_DETACHED);
  EXPECT_EQ(seenWith(kSomeBytes).detachState, PTHREAD_CREATE_JOINABLE);
}

}  // namespace
}  // namespace jitscope::trace
