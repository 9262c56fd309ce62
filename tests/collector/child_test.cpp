// How the launcher deals with signals, inside of a process that plays it.
#include "collector/record/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace jitscope::collector {
namespace {

constexpr int kSignal = SIGALRM;  // which a timer of the kernel's can raise

void raiseByKernel() {
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 1}};
  setitimer(ITIMER_REAL, &soon, nullptr);
}

void raiseByProcess() { kill(getpid(), kSignal); }

void awaitPending() {
  constexpr timespec kMoment{0, 1'000'000};
  for (sigset_t pending; sigpending(&pending) == 0 && sigismember(&pending, kSignal) == 0;) {
    nanosleep(&kMoment, nullptr);
  }
}

/// How often a launcher takes the signal that is raised while its child runs.
int timesTaken(void (*raiseIt)()) {
  const pid_t launcher = fork();
  if (launcher == 0) {
    int times = 0, input[2];
    if (pipe2(input, O_CLOEXEC) != 0 || dup2(input[0], STDIN_FILENO) < 0) _exit(100);
    const Child child = startChild("/bin/sh", {"sh", "-c", "read word"}, {});
    raiseIt();
    awaitPending();
    // Ends the child, and comes after the other: signals come by number.
    kill(getpid(), SIGTERM);
    waitForChild(child, {.signal = kSignal, .take = [&] { ++times; }});
    _exit(times);
  }
  int status = -1;
  waitpid(launcher, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WaitForChild, TakesASignalOfAProcessAndNoneOfTheKernel) {
  EXPECT_EQ(timesTaken(raiseByProcess), 1);
  EXPECT_EQ(timesTaken(raiseByKernel), 0);
}

}  // namespace
}  // namespace jitscope::collector
