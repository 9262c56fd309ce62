#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace jitscope::tests {

/// How a program ran.
struct ProgramRun {
  int status = -1;  ///< as a shell gives it: 128+N when a signal ended it
  std::string output, errors;
};

/// How a program is to be run.
struct RunOptions {
  std::string input{};
  std::map<std::string, std::string> environment{};  ///< on top of the test's own
  std::string folder{};                              ///< to run in; empty: the test's own
  int patienceSeconds = 60;                          ///< a program that runs longer is killed
  std::function<void()> beforeExec{};                ///< in the child; only what is safe there
  std::function<void(pid_t, const std::string&)> onOutput{};  ///< called with all output so far
  std::vector<std::string> recordOptions{};  ///< of `jitscope record`, where it is that
};

/// Runs `command` to its end.
ProgramRun runProgram(const std::vector<std::string>& command, const RunOptions& options = {});

/// Runs `command` under `jitscope record -o output`.
ProgramRun record(const std::string& output, const std::vector<std::string>& command,
                  const RunOptions& options = {});

}  // namespace jitscope::tests
