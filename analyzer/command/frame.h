#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/command/arguments.h"
#include "analyzer/command/loading.h"
#include "analyzer/command/output.h"

namespace jitscope::analyzer {

/// The command line of a command that reads runs: what it takes alone, and what all of them take
/// (--help and the options of loading). What it points to must outlive it.
class CommandLine {
 public:
  /// Takes each word that is no option.
  using TakeWord = std::function<trace::Result<void>(const std::string& word)>;

  CommandLine(std::string_view command, std::vector<Option> options, Loading& loading,
              TakeWord takeWord);
  ~CommandLine() = default;
  CommandLine(const CommandLine&) = delete;  // --help writes into it
  CommandLine& operator=(const CommandLine&) = delete;

  /// All options, those that every command takes included.
  std::span<const Option> options() const { return options_; }

  /// Reads the words up to the first error and asks `complete` whether they are enough. Gives an
  /// exit status when the command ends here: after a mistake, told in `errors`, and after `help`,
  /// written to `output`.
  std::optional<int> readOrEnd(std::span<const std::string> words,
                               const std::function<trace::Result<void>()>& complete,
                               const std::function<std::string()>& help, std::ostream& output,
                               std::ostream& errors);

 private:
  std::string_view command_;
  std::vector<Option> options_;
  TakeWord takeWord_;
  bool wantsHelp_ = false;  ///< then nothing else needs to be there
};

/// A run that a command answers for.
struct Asked {
  std::string_view command;
  const Loading& loading;
  const std::string& path;
  std::vector<std::string> targets;  ///< what will be written; empty ones are none
};

/// Loads the run, refuses targets that are files of it, tells its damage and lets `answer` speak of
/// it. Gives the exit status: the answer's, or that of what went wrong, which is told in `errors`.
/// An answer that is an error is wrong usage.
int answerFor(const Asked& asked, std::ostream& errors,
              const std::function<trace::Result<ExitStatus>(const Run& run)>& answer);

/// The option -o, whose value goes to `target`.
Option outputOption(std::string& target);

}  // namespace jitscope::analyzer
