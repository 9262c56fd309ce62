#include "collector/doctor/output_of.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

namespace jitscope::collector {
namespace {

constexpr int64_t kPatienceMs = 10'000;

int64_t nowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

pid_t spawn(const std::vector<std::string>& command, int output) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? 0 : pid;
}

// Reads until the end; false when time runs out before that.
bool readAll(int input, std::string& text) {
  const int64_t deadlineMs = nowMs() + kPatienceMs;
  for (;;) {
    pollfd ready{.fd = input, .events = POLLIN, .revents = 0};
    const int64_t leftMs = deadlineMs - nowMs();
    if (leftMs <= 0 || poll(&ready, 1, static_cast<int>(leftMs)) <= 0) return false;
    char block[4096];
    const ssize_t got = read(input, block, sizeof block);
    if (got <= 0) return got == 0;
    text.append(block, static_cast<size_t>(got));
  }
}

}  // namespace

std::string outputOf(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t pid = spawn(command, ends[1]);
  close(ends[1]);
  std::string text;
  const bool isWhole = pid && readAll(ends[0], text);
  close(ends[0]);
  if (!pid) return {};
  if (!isWhole) kill(pid, SIGKILL);
  int status = 0;
  waitpid(pid, &status, 0);
  return isWhole && status == 0 ? text.substr(0, text.find('\n')) : std::string();
}

}  // namespace jitscope::collector
