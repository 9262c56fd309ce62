#include "collector/record/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace jitscope::collector {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT};

sigset_t awaitedSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  for (const int signal : kPassedOn) sigaddset(&signals, signal);
  return signals;
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
                 const std::map<std::string, std::string>& changes) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return {.pid = 0, .startError = errno};
  // Someone who ignores SIGCHLD would never learn how the child ended.
  struct sigaction byDefault {};
  struct sigaction childBefore {};
  byDefault.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &byDefault, &childBefore);
  const sigset_t held = awaitedSignals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &held, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    sigaction(SIGCHLD, &childBefore, nullptr);
    sigprocmask(SIG_SETMASK, &before, nullptr);
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

int waitForChild(const Child& child) {
  const sigset_t awaited = awaitedSignals();
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child.pid, &status, WNOHANG);
    if (ended == child.pid) return shellStatus(status);
    if (ended < 0) return 126;
    siginfo_t signal{};
    if (sigwaitinfo(&awaited, &signal) < 0 || signal.si_signo == SIGCHLD) continue;
    const bool isSentByProcess = signal.si_code <= 0;
    if (isSentByProcess) kill(child.pid, signal.si_signo);
  }
}

int statusOfStartError(int startError) { return startError == ENOENT ? 127 : 126; }

}  // namespace jitscope::collector
