#include "tests/support/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace jitscope::tests {
namespace {

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  }
  int ends[2];
};

[[noreturn]] void become(const std::vector<std::string>& command, const RunOptions& options,
                         const Pipe& input, const Pipe& output, const Pipe& errors) {
  dup2(input.ends[0], STDIN_FILENO);
  dup2(output.ends[1], STDOUT_FILENO);
  dup2(errors.ends[1], STDERR_FILENO);
  for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(125);
  if (options.beforeExec) options.beforeExec();
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

/// False when the stream has ended.
bool readSome(int input, std::string& text) {
  char block[65536];
  const ssize_t got = read(input, block, sizeof block);
  if (got > 0) text.append(block, static_cast<size_t>(got));
  return got > 0;
}

/// Feeds and drains until both of the program's streams have ended; false when time runs out.
bool converse(pid_t pid, const RunOptions& options, int input, int output, int errors,
              ProgramRun& run) {
  size_t fed = 0;
  const time_t deadline = time(nullptr) + options.patienceSeconds;
  pollfd streams[3] = {{input, POLLOUT, 0}, {output, POLLIN, 0}, {errors, POLLIN, 0}};
  while (streams[1].fd >= 0 || streams[2].fd >= 0) {
    if (poll(streams, 3, 1000) == 0 && time(nullptr) > deadline) return false;
    if (streams[0].revents) {
      const ssize_t wrote = write(input, options.input.data() + fed, options.input.size() - fed);
      fed += wrote > 0 ? static_cast<size_t>(wrote) : 0;
      if ((wrote <= 0 && errno != EAGAIN) || fed == options.input.size()) {
        close(input);
        streams[0].fd = -1;
      }
    }
    if (streams[1].revents) {
      if (!readSome(output, run.output)) streams[1].fd = -1;
      if (options.onOutput) options.onOutput(pid, run.output);
    }
    if (streams[2].revents && !readSome(errors, run.errors)) streams[2].fd = -1;
    for (pollfd& stream : streams) stream.revents = 0;
  }
  if (streams[0].fd >= 0) close(input);
  return true;
}

}  // namespace

ProgramRun runProgram(const std::vector<std::string>& command, const RunOptions& options) {
  signal(SIGPIPE, SIG_IGN);
  Pipe input;
  Pipe output;
  Pipe errors;
  const pid_t pid = fork();
  if (pid == 0) {
    signal(SIGPIPE, SIG_DFL);
    become(command, options, input, output, errors);
  }
  close(input.ends[0]);
  close(output.ends[1]);
  close(errors.ends[1]);
  fcntl(input.ends[1], F_SETFL, O_NONBLOCK);  // the program may wait for us to take its output
  ProgramRun run;
  if (!converse(pid, options, input.ends[1], output.ends[0], errors.ends[0], run)) {
    kill(pid, SIGKILL);
    run.errors += "[killed by the test: out of patience]";
  }
  close(output.ends[0]);
  close(errors.ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  run.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return run;
}

ProgramRun record(const std::string& output, const std::vector<std::string>& command,
                  const RunOptions& options) {
  std::vector<std::string> words = {JITSCOPE_PROGRAM, "record", "-o", output};
  words.insert(words.end(), options.recordOptions.begin(), options.recordOptions.end());
  words.push_back("--");
  words.insert(words.end(), command.begin(), command.end());
  return runProgram(words, options);
}

}  // namespace jitscope::tests
