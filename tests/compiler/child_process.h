#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace jitscope::compiler {

struct ChildResult {
  std::string standardError;
  int exitStatus = -1;  ///< -1 when a signal ended it
};

/// Runs `body` in a forked child with these environment variables and an orderly exit. The parent
/// must not have threads.
template <class Body>
ChildResult runInChild(const std::vector<std::pair<const char*, std::string>>& environment,
                       Body body) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    for (const auto& [name, value] : environment) setenv(name, value.c_str(), 1);
    body();
    std::exit(0);
  }
  close(ends[1]);
  ChildResult result;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;) {
    result.standardError.append(buffer, static_cast<size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exitStatus = WEXITSTATUS(status);
  return result;
}

}  // namespace jitscope::compiler
