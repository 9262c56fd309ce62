// A program that writes rows to the collector, if there is one, and then does what is hard on
// whoever rides along. Each argument is a step; the last one may end it.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "trace/clock.h"
#include "trace/sink_client.h"

namespace {

using jitscope::trace::OpRow;

void writeRows(int count) {
  const auto sink = jitscope::trace::connectToCollector();
  if (!sink) return;
  for (int index = 0; index < count; ++index) {
    const int64_t now = jitscope::trace::nowNs();
    jitscope::trace::emit(*sink,
                          OpRow{.startNs = now,
                                .endNs = now,
                                .thread = gettid(),
                                .name = sink->intern("hard_life::op" + std::to_string(index % 97)),
                                .sequence = index});
  }
}

void print(const std::string& text) {
  const std::string line = text + '\n';
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) _exit(9);
}

void require(bool holds) {
  if (!holds) _exit(98);
}

int statusOf(pid_t child) {
  int status = 0;
  require(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// --- descriptors ---------------------------------------------------------------------------------

void closeAll() {
  for (int descriptor = 0; descriptor < 4096; ++descriptor) close(descriptor);
}

void dupOver() {
  const int null = open("/dev/null", O_WRONLY);
  for (int descriptor = 3; descriptor < 1024; ++descriptor) {
    if (descriptor != null) dup2(null, descriptor);
  }
  for (int descriptor = 3; descriptor < 1024; ++descriptor) {
    require(write(descriptor, "x", 1) == 1);
  }
}

// --- threads -------------------------------------------------------------------------------------

pthread_t start(void* (*work)(void*), size_t stackBytes = 65536) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t thread{};
  require(pthread_create(&thread, &attributes, work, nullptr) == 0);
  pthread_attr_destroy(&attributes);
  return thread;
}

void* writeTen(void*) {
  writeRows(10);
  return nullptr;
}

void* writeForEver(void*) {
  for (;;) {
    writeRows(50);
    pthread_testcancel();
  }
}

void runThousandThreads() {
  std::vector<pthread_t> threads;
  for (int index = 0; index < 1000; ++index) threads.push_back(start(writeTen));
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  print("1000 threads");
}

void cancelThreads() {
  for (int round = 0; round < 100; ++round) {
    const pthread_t thread = start(writeForEver);
    if (round % 2) usleep(200);
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    require(result == PTHREAD_CANCELED);
  }
  print("100 threads cancelled");
}

// Its first row of all is written by a thread that is cancelled already.
void cancelBeforeFirstRow() {
  const pthread_t thread = start([](void*) -> void* {
    pthread_cancel(pthread_self());
    writeRows(1);
    return nullptr;  // nothing above is where a thread may be cancelled
  });
  void* result = PTHREAD_CANCELED;
  pthread_join(thread, &result);
  require(result == nullptr);
}

void outliveMain() {
  start([](void*) -> void* {
    usleep(50'000);
    writeRows(10);
    print("after main");
    return nullptr;
  });
  pthread_exit(nullptr);
}

// --- processes -----------------------------------------------------------------------------------

void forkInMidFlush() {
  const pthread_t writer = start(writeForEver, 1 << 20);
  int failures = 0;
  for (int round = 0; round < 100; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      if (round % 3 == 0) writeRows(100);
      if (round % 2) _exit(7);
      exit(7);
    }
    failures += statusOf(child) != 7;
  }
  pthread_cancel(writer);
  pthread_join(writer, nullptr);
  print("children that failed: " + std::to_string(failures));
}

void forkWhileLibrariesAreLoaded() {
  const pthread_t loader = start(
      [](void*) -> void* {
        for (;;) {
          void* const library = dlopen("libutil.so.1", RTLD_NOW | RTLD_LOCAL);
          if (library) dlclose(library);
          pthread_testcancel();
        }
      },
      1 << 20);
  int failures = 0;
  for (int round = 0; round < 50; ++round) {
    const pid_t child = fork();
    if (child == 0) _exit(7);
    failures += statusOf(child) != 7;
  }
  pthread_cancel(loader);
  pthread_join(loader, nullptr);
  print("children that failed: " + std::to_string(failures));
}

void spawn() {
  char name[] = "sh", option[] = "-c", script[] = "exit 6";
  char* const arguments[] = {name, option, script, nullptr};
  pid_t child = 0;
  require(posix_spawnp(&child, "sh", nullptr, nullptr, arguments, environ) == 0);
  print("spawned " + std::to_string(statusOf(child)));
  const pid_t second = vfork();
  if (second == 0) {
    execvp("sh", arguments);
    _exit(1);
  }
  print("vforked " + std::to_string(statusOf(second)));
  const pid_t third = vfork();
  if (third == 0) _exit(4);
  print("ended after vfork " + std::to_string(statusOf(third)));
}

// --- control flow --------------------------------------------------------------------------------

jmp_buf wayBack;
sigjmp_buf wayOutOfFault;

void jump() {
  if (setjmp(wayBack) == 0) {
    writeRows(1);
    longjmp(wayBack, 1);
  }
  signal(SIGSEGV, [](int) { siglongjmp(wayOutOfFault, 1); });
  if (sigsetjmp(wayOutOfFault, 1) == 0) *static_cast<volatile int*>(nullptr) = 1;
  signal(SIGSEGV, SIG_DFL);
  print("jumped");
}

void throwMany() {
  int caught = 0;
  for (int round = 0; round < 1000; ++round) {
    try {
      const auto held = std::make_unique<int>(round);
      throw std::runtime_error(std::to_string(*held));
    } catch (const std::exception&) {
      ++caught;
    }
  }
  std::thread([&] {
    try {
      throw caught;
    } catch (int) {
      ++caught;
    }
  }).join();
  print("caught " + std::to_string(caught));
}

// Without a name that nothing can catch, so that what <exception> prints is the program's own.
void terminate() {
  std::set_terminate([] {
    print("terminating");
    std::abort();
  });
  throw std::logic_error("nobody catches this");
}

[[noreturn]] void churn() {
  for (;;) {
    void* blocks[64];
    for (size_t index = 0; index < 64; ++index) blocks[index] = malloc(2000 + index * 97);
    for (void* const block : blocks) free(block);
  }
}

// A handler ends the program while malloc is at work, which _exit allows.
void exitInMidMalloc() {
  signal(SIGALRM, [](int) { _exit(5); });
  const itimerval soon{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = 10'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
  churn();
}

// The same among threads, where malloc has locks.
void exitInMidLockedMalloc() {
  start([](void*) -> void* {
    for (;;) pause();
  });
  exitInMidMalloc();
}

void exitWhenCancelled() {
  pthread_cancel(pthread_self());
  exit(5);
}

void exitAtOnceWhenCancelled() {
  pthread_cancel(pthread_self());
  _exit(5);
}

// The last thread leaves while exit handlers run: the C library unwinds through exit itself.
void endThreadInExitHandler() {
  atexit([] {
    print("in a handler");
    pthread_exit(nullptr);
  });
  exit(5);
}

void exitInExitHandlerOfThread() {
  std::thread([] { exit(6); }).join();
}

void stop() {
  const pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    _exit(3);
  }
  int status = 0;
  require(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
  kill(child, SIGCONT);
  print("stopped, then " + std::to_string(statusOf(child)));
}

void overflowStack() {
  volatile char block[65536];
  block[0] = 1;
  static std::atomic<bool> isWanted{true};
  if (isWanted) overflowStack();
  block[1] = block[0];
}

const std::map<std::string, void (*)()> kSteps = {
    {"rows", [] { writeRows(1000); }},
    {"print", [] { print("printed"); }},
    {"close-all", closeAll},
    {"dup-over", dupOver},
    {"thousand-threads", runThousandThreads},
    {"cancel-threads", cancelThreads},
    {"cancel-before-first-row", cancelBeforeFirstRow},
    {"outlive-main", outliveMain},
    {"fork-in-mid-flush", forkInMidFlush},
    {"fork-while-loading", forkWhileLibrariesAreLoaded},
    {"spawn", spawn},
    {"jump", jump},
    {"throw-many", throwMany},
    {"terminate", terminate},
    {"exit-in-mid-malloc", exitInMidMalloc},
    {"exit-in-mid-locked-malloc", exitInMidLockedMalloc},
    {"exit-when-cancelled", exitWhenCancelled},
    {"exit-at-once-when-cancelled", exitAtOnceWhenCancelled},
    {"end-thread-in-exit-handler", endThreadInExitHandler},
    {"exit-in-thread", exitInExitHandlerOfThread},
    {"stop", stop},
    {"overflow-stack", overflowStack},
    {"fork",
     [] {
       const pid_t child = fork();
       if (child == 0) {
         writeRows(100);
         exit(5);
       }
       print("child " + std::to_string(statusOf(child)));
     }},
    {"abort", [] { std::abort(); }},
    {"segfault", [] { *static_cast<volatile int*>(nullptr) = 1; }},
    {"kill", [] { kill(getpid(), SIGKILL); }},
    {"exit-at-once", [] { _exit(3); }},
};

}  // namespace

int main(int, char** arguments) {
  while (*++arguments) {
    const auto step = kSteps.find(*arguments);
    if (step == kSteps.end()) return 97;
    step->second();
  }
  return 0;
}
