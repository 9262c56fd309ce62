#pragma once

#include <fstream>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/export/unfinished_target.h"
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

/// A command's answer while it is being written: to a file, which gets its name when all of it is
/// there, or to a stream. For one thread.
class AnswerOutput {
 public:
  /// Opens the file `path`, or takes `output` when it is empty. Both must outlive this.
  AnswerOutput(const std::string& path, std::string_view what, std::ostream& output);

  /// Writes a piece. False: there is no use in more, for the disk is full or the reader has gone.
  bool write(std::string_view text);

  /// Ends it. Errors are `PATH: cannot write WHAT: why`; that a reader of the stream has gone is
  /// none. Without this, nothing is left of a file.
  trace::Result<void> close();

 private:
  std::ostream& stream();

  std::string name_, what_;
  std::ostream& output_;
  std::optional<UnfinishedTarget> unfinished_;  ///< none for a stream
  std::ofstream file_;
  int errorNumber_ = 0;  ///< why the last piece could not be written
};

/// Writes `text` to the file `path` (all of it or nothing), or to `output` when `path` is empty.
/// That a reader of `output` has gone is no error. Errors are `PATH: cannot write WHAT: why`.
trace::Result<void> writeOutput(const std::string& text, const std::string& path,
                                std::string_view what, std::ostream& output);

/// Whether `path` is a file that `run` was read from, and must not be written over.
bool isRecording(const Run& run, const std::string& path);

/// `text` with ends of lines and other controls as '?': a file's name may hold any character, what
/// is told stays one line.
std::string oneLine(std::string text);

/// Prints an error as one line, whatever the names of files in it hold, behind "jitscope COMMAND: "
/// when a command is named. Gives `status` back.
int fail(std::ostream& errors, std::string_view command, const trace::Error& error,
         ExitStatus status);

/// Whether part of what it was read from is damaged.
bool isDamaged(const Run& run);

/// Tells damage as `PATH: what: where`: one line for each file that cannot be read at all, and one
/// for the damaged places in those that can. Whether there was any.
bool tellDamage(const Run& run, std::ostream& errors);

}  // namespace jitscope::analyzer
