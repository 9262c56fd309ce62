#pragma once

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "trace/result.h"

namespace jitscope::collector {

/// A program that runs under the launcher, in the same process group and on the same terminal, as
/// if the launcher were not there.
struct Child {
  pid_t pid = 0;
  int startError = 0;  ///< errno of the exec when the program could not be run; pid is 0 then
};

/// What a program reads and prints on.
enum class ChildStreams {
  kOwn,   ///< the launcher's
  kNone,  ///< nothing comes, and what is printed is thrown away
};

/// Starts `path` with `arguments` (the first is the program's name as it was typed), in the
/// launcher's environment with `changes` on top. From here on the launcher holds back the signals
/// that `waitForChild` passes on.
Child startChild(const std::string& path, const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& changes,
                 ChildStreams streams = ChildStreams::kOwn);

/// A signal that some process sends to the launcher, which is not for the child. What a terminal
/// sends under the same number is not taken.
struct TakenSignal {
  int signal = 0;  ///< 0: none
  std::function<void()> take;
};

/// Waits until the child has ended, and hands on to it the signals that were sent to the launcher
/// alone, but for one that is `taken` by somebody else. Those that a terminal sends reach the child
/// by themselves. Gives the exit status of a shell: 128+N when signal N ended it.
int waitForChild(const Child& child, const TakenSignal& taken = {});

/// The exit status of a shell for a program that could not be run: 127 not found, else 126.
int statusOfStartError(int startError);

}  // namespace jitscope::collector
