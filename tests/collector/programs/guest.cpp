// A program that does what real programs do to whoever rides along: each argument is a step.
//
//   rows N          write N operators to the collector
//   thread-rows N   the same from two threads at once
//   paced-rows N    the same, about one every 100 us of real time
//   start, stop, step   as a program does that steers its recording
//   await-recording N   wait until it is recorded (1) or not (0)
//   await-file FILE     wait until the file is there
//   call MS, recompile, trigger TEXT   what a flight recorder may write about
//   print TEXT, cat, cwd DIR, close-all, replace-handlers
//   fork-often N    N times write rows and fork a child that exits at once, beside an idle thread
//   share-processor N   two threads share one processor until each has had it for N ms; both stay
//   fork            the child goes on; the parent waits for it and takes over its status
//   leave-behind FILE  end, but leave a child that goes on, silently, when FILE is there
//   exec            start over as a new program with the steps that are left
//   failing-exec    an exec that fails although the file is there, then go on
//   open FILE       load a library and ask it for a symbol
//   raw-fork        as fork, but by the system call itself
//   end-threads     end the first thread while another writes 10 rows: the program ends with that
//   vfork-exec      run /bin/true by way of vfork, then go on
//   pause           say that all is ready and wait for a signal; its handler prints the number
//   return N, exit N, _exit N, quick_exit N, handler-exit N, abort, kill
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>

#include "collector/control.h"
#include "trace/clock.h"
#include "trace/sink_client.h"

namespace {

using jitscope::trace::OpRow;

char** steps;       // those that are left
char* program;      // path of this program
int endStatus = 0;  // of the step that ends the program

long number() { return std::atol(*steps++); }

int64_t writeRows(long count, int64_t pauseNs = 0) {
  const auto sink = jitscope::trace::connectToCollector();
  int64_t lastNs = 0;
  for (long index = 0; index < count; ++index) {
    const int64_t earliestNs = lastNs + pauseNs;
    do {
      lastNs = jitscope::trace::nowNs();
    } while (lastNs < earliestNs);
    if (!sink) continue;
    jitscope::trace::emit(*sink,
                          OpRow{.startNs = lastNs,
                                .endNs = lastNs,
                                .thread = syscall(SYS_gettid),
                                .name = sink->intern("guest::op" + std::to_string(index % 7)),
                                .sequence = index});
  }
  return lastNs;
}

void writeRowsFromTwoThreads() {
  const long count = number();
  std::thread first([&] { writeRows(count); });
  std::thread second([&] { writeRows(count); });
  first.join();
  second.join();
}

void waitUntil(bool (*holds)()) {
  const timespec moment{0, 1'000'000};
  while (!holds()) nanosleep(&moment, nullptr);
}

template <class Row>
void writeRow(const Row& row) {
  const auto sink = jitscope::trace::connectToCollector();
  if (sink) jitscope::trace::emit(*sink, row);
}

void writeCall() {
  const int64_t endNs = jitscope::trace::nowNs();
  writeRow(jitscope::trace::CallRow{.frame = jitscope::trace::FrameId{0},
                                    .startNs = endNs - number() * 1'000'000,
                                    .endNs = endNs});
}

void writeRecompile() {
  const int64_t endNs = jitscope::trace::nowNs();
  writeRow(jitscope::trace::CompileRow{.frame = jitscope::trace::FrameId{0},
                                       .attempt = jitscope::trace::AttemptId{1},
                                       .startNs = endNs - 1000,
                                       .endNs = endNs});
}

void print(const std::string& text) {
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) std::abort();
}

void copyInput() {
  char block[4096];
  for (ssize_t got; (got = read(STDIN_FILENO, block, sizeof block)) > 0;)
    print({block, size_t(got)});
}

void closeAll() {
  for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
  // What is opened next takes a number that was somebody else's.
  for (int index = 0; index < 4; ++index) {
    if (open("/dev/null", O_WRONLY) < 0) std::abort();
  }
}

void onSignal(int signal) { print("signal " + std::to_string(signal) + "\n"); }

void replaceHandlers() {
  for (int signal = 1; signal < 32; ++signal) ::signal(signal, onSignal);
}

void pauseForSignal() {
  replaceHandlers();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigdelset(&all, SIGCHLD);
  sigprocmask(SIG_BLOCK, &all, &before);
  print("ready\n");
  sigsuspend(&before);
}

void forkAndFollow() {
  const pid_t child = fork();
  if (child == 0) return;
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  std::exit(WEXITSTATUS(status));
}

int64_t ownProcessorNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void shareProcessor() {
  static const int64_t kEachNs = number() * 1'000'000;
  static std::atomic<int> ready{0}, done{0};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
  if (sched_setaffinity(0, sizeof one, &one) != 0) std::abort();
  const auto work = [] {
    for (++ready; ready < 2;) sched_yield();
    const int64_t endNs = ownProcessorNs() + kEachNs;
    while (ownProcessorNs() < endNs) {
    }
    ++done;
  };
  std::thread([&work] {
    work();
    for (;;) pause();
  }).detach();
  work();
  while (done < 2) sched_yield();
}

// With a status of its own when a child failed.
void forkOften() {
  static std::atomic<bool> isIdle{false};
  std::thread([] {
    writeRows(10);
    isIdle = true;
    for (;;) pause();
  }).detach();
  while (!isIdle) sched_yield();
  for (long count = number(); count > 0; --count) {
    writeRows(2000);
    const pid_t child = fork();
    if (child == 0) std::exit(0);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) std::exit(97);
  }
}

void forkByCall() {
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child == 0) return;
  int status = 0;
  waitpid(child, &status, 0);
  _exit(WEXITSTATUS(status));
}

void endThreads() {
  std::thread([] { writeRows(10); }).detach();
  pthread_exit(nullptr);
}

void leaveBehind() {
  const char* const file = *steps++;
  if (fork() != 0) std::exit(0);
  for (const int stream : {0, 1, 2}) close(stream);
  const timespec moment{0, 10'000'000};
  while (access(file, F_OK) != 0) nanosleep(&moment, nullptr);
}

void becomeNew() {
  char** arguments = steps - 1;  // the step's own word is in the place of the program's name
  execv(program, arguments);
  std::abort();
}

void execInVain() {
  char* const arguments[] = {nullptr};
  char file[] = "/tmp/jitscope-guest-XXXXXX";
  const int descriptor = mkstemp(file);
  const char text[] =
      "\x7f"
      "ELF of no kind";
  if (write(descriptor, text, sizeof text) < 0 || fchmod(descriptor, 0700) != 0) std::abort();
  close(descriptor);
  execve(file, arguments, environ);
  unlink(file);
}

void runByVfork() {
  const pid_t child = vfork();
  if (child == 0) {
    char name[] = "true";
    char* const arguments[] = {name, nullptr};
    execve("/no/such/program", arguments, environ);
    execve("/bin/true", arguments, environ);
    _exit(1);
  }
  waitpid(child, nullptr, 0);
}

void openLibrary() {
  void* library = dlopen(*steps++, RTLD_NOW | RTLD_LOCAL);
  if (!library || !dlsym(library, "aoti_torch_abi_version")) std::abort();
}

void exitFromHandler() {
  endStatus = static_cast<int>(number());
  signal(SIGALRM, [](int) { _exit(endStatus); });
  raise(SIGALRM);
}

const std::map<std::string, void (*)()> kSteps = {
    {"rows", [] { writeRows(number()); }},
    {"thread-rows", writeRowsFromTwoThreads},
    {"paced-rows", [] { print(std::to_string(writeRows(number(), 100'000)) + "\n"); }},
    {"start", jitscope_start},
    {"stop", jitscope_stop},
    {"step", jitscope_step},
    {"trigger", [] { jitscope_trigger(*steps++); }},
    {"call", writeCall},
    {"recompile", writeRecompile},
    {"await-recording",
     [] {
       static long wanted;
       wanted = number();
       waitUntil([] { return jitscope_is_recording() == wanted; });
     }},
    {"await-file",
     [] {
       static const char* file;
       file = *steps++;
       waitUntil([] { return access(file, F_OK) == 0; });
     }},
    {"print", [] { print(std::string(*steps++) + "\n"); }},
    {"cat", copyInput},
    {"cwd",
     [] {
       if (chdir(*steps++) != 0) std::abort();
     }},
    {"close-all", closeAll},
    {"replace-handlers", replaceHandlers},
    {"share-processor", shareProcessor},
    {"fork-often", forkOften},
    {"fork", forkAndFollow},
    {"leave-behind", leaveBehind},
    {"raw-fork", forkByCall},
    {"end-threads", endThreads},
    {"exec", becomeNew},
    {"failing-exec", execInVain},
    {"vfork-exec", runByVfork},
    {"open", openLibrary},
    {"pause", pauseForSignal},
    {"exit", [] { std::exit(static_cast<int>(number())); }},
    {"_exit", [] { _exit(static_cast<int>(number())); }},
    {"quick_exit", [] { std::quick_exit(static_cast<int>(number())); }},
    {"handler-exit", exitFromHandler},
    {"abort", [] { std::abort(); }},
    {"kill", [] { kill(getpid(), SIGKILL); }},
};

}  // namespace

int main(int, char** arguments) {
  static char self[4096];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
  if (size < 0) return 99;
  program = self;
  steps = arguments + 1;
  while (*steps) {
    const std::string step = *steps++;
    if (step == "return") return static_cast<int>(number());
    const auto found = kSteps.find(step);
    if (found == kSteps.end()) return 98;
    found->second();
  }
  return 0;
}
