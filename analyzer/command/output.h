#pragma once

#include <iosfwd>
#include <string>

#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// The exit statuses of the analyzer's commands (CONTRIBUTING.md, 'Errors').
enum ExitStatus : int { kDone = 0, kOverLimit = 1, kUsage = 2, kBadInput = 3 };

/// While one lives, writing to a closed pipe is an error of the write instead of the process's end.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors();
  ~BrokenPipesAreErrors();
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

 private:
  void (*before_)(int);
};

/// Writes `text` to the file `path` (all of it or nothing), or to `output` when `path` is empty.
/// That a reader of `output` has gone is no error. Errors are `PATH: cannot write WHAT: why`.
trace::Result<void> writeOutput(const std::string& text, const std::string& path,
                                std::string_view what, std::ostream& output);

/// Whether `path` is a file that `run` was read from, and must not be written over.
bool isRecording(const Run& run, const std::string& path);

/// Prints an error as one line, whatever the names of files in it hold, behind "jitscope COMMAND: "
/// when a command is named. Gives `status` back.
int fail(std::ostream& errors, std::string_view command, const trace::Error& error,
         ExitStatus status);

/// Tells damage as `PATH: what: where`: one line for each file that cannot be read at all, and one
/// for the damaged places in those that can. Whether there was any.
bool tellDamage(const Run& run, std::ostream& errors);

}  // namespace jitscope::analyzer
