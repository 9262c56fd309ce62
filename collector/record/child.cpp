#include "collector/record/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace jitscope::collector {
namespace {

// What is not handed on: what the launcher's own mistakes raise, and what stops it.
constexpr int kOwn[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGTRAP, SIGABRT, SIGSYS,
                        SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU, SIGXFSZ};

sigset_t awaitedSignals() {
  sigset_t signals;
  sigfillset(&signals);
  for (const int signal : kOwn) sigdelset(&signals, signal);
  return signals;
}

// Not by a terminal, whose signals reach the child by themselves.
bool isSentByProcess(const siginfo_t& signal) { return signal.si_code <= 0; }

void passOn(pid_t pid, const siginfo_t& signal) {
  if (!isSentByProcess(signal)) return;
  if (signal.si_code == SI_QUEUE) {
    sigqueue(pid, signal.si_signo, signal.si_value);
  } else {
    kill(pid, signal.si_signo);
  }
}

// Whether a shell that knows jobs waits for the launcher: it gave it a process group.
bool isJob() {
  const pid_t shell = getppid();
  return getsid(shell) == getsid(0) && getpgid(shell) != getpgrp();
}

bool isStopped(pid_t pid) {
  siginfo_t state{};
  return waitid(P_PID, static_cast<id_t>(pid), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == pid;
}

// A program that stopped itself stops its job, or the shell would wait for ever for a prompt that
// nobody can ask for. When the whole job was stopped and goes on, the child may look stopped for a
// moment longer than the launcher.
void stopWithChild(pid_t pid) {
  constexpr timespec kMoment{0, 50'000'000};
  if (!isJob() || !isStopped(pid)) return;
  nanosleep(&kMoment, nullptr);
  if (!isStopped(pid)) return;
  kill(getpid(), SIGSTOP);
  kill(pid, SIGCONT);
}

void throwStreamsAway() {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
}

/// The signals that were held back before the first program was started.
const sigset_t& signalsAtFirst() {
  static const sigset_t mask = [] {
    sigset_t held;
    sigprocmask(SIG_BLOCK, nullptr, &held);
    return held;
  }();
  return mask;
}

// Never returns; says over the pipe why not when the program cannot be run.
[[noreturn]] void becomeProgram(const std::string& path, const std::vector<std::string>& arguments,
                                const std::map<std::string, std::string>& changes, int report) {
  for (const auto& [name, value] : changes) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  // With a slash in it no folder is searched; a script without a first line goes to the shell.
  const std::string program = path.find('/') == path.npos ? "./" + path : path;
  execvp(program.c_str(), words.data());
  const int reason = errno;
  if (write(report, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

int shellStatus(int waitStatus) {
  return WIFSIGNALED(waitStatus) ? 128 + WTERMSIG(waitStatus) : WEXITSTATUS(waitStatus);
}

}  // namespace

Child startChild(const std::string& path, const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& changes, ChildStreams streams) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return {.pid = 0, .startError = errno};
  // Someone who ignores SIGCHLD would never learn how the child ended.
  struct sigaction byDefault {};
  struct sigaction childBefore {};
  byDefault.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &byDefault, &childBefore);
  const sigset_t held = awaitedSignals();
  const sigset_t before = signalsAtFirst();
  sigprocmask(SIG_BLOCK, &held, nullptr);
  const pid_t pid = fork();
  if (pid == 0) {
    sigaction(SIGCHLD, &childBefore, nullptr);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (streams == ChildStreams::kNone) throwStreamsAway();
    becomeProgram(path, arguments, changes, report[1]);
  }
  const int forkError = errno;
  close(report[1]);
  int startError = pid < 0 ? forkError : 0;
  // The pipe closes without a word when the program runs.
  if (pid > 0 && read(report[0], &startError, sizeof startError) > 0) waitpid(pid, nullptr, 0);
  close(report[0]);
  return {.pid = startError ? 0 : pid, .startError = startError};
}

int waitForChild(const Child& child, const TakenSignal& taken) {
  const sigset_t awaited = awaitedSignals();
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child.pid, &status, WNOHANG);
    if (ended == child.pid) return shellStatus(status);
    if (ended < 0) return 126;
    siginfo_t signal{};
    if (sigwaitinfo(&awaited, &signal) < 0) continue;
    if (signal.si_signo == taken.signal && taken.take) {
      if (isSentByProcess(signal)) taken.take();
    } else if (signal.si_signo != SIGCHLD) {
      passOn(child.pid, signal);
    } else {
      stopWithChild(child.pid);
    }
  }
}

int statusOfStartError(int startError) { return startError == ENOENT ? 127 : 126; }

}  // namespace jitscope::collector
