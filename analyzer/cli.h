#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// `jitscope report PATH [--format text|json|markdown] [-o FILE]`: `arguments` are those after
/// "report". Writes to standard output and errors to standard error. Gives the exit status: 0 done,
/// 2 wrong usage or output not writable, 3 bad input. A damaged input is reported as far as it can
/// be read, and is then still status 3.
int reportCommand(std::span<const std::string> arguments);

/// As above, to the given streams.
int reportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors);

/// `jitscope check PATH [--baseline PATH] [--config FILE] …`: holds a run against limits (GATE.md).
/// Gives the exit status: 0 within limits, 1 over, 2 wrong usage or output not writable, 3 bad
/// input. A damaged input is checked as far as it can be read, and is then still status 3.
int checkCommand(std::span<const std::string> arguments);

/// As above, to the given streams.
int checkCommand(std::span<const std::string> arguments, std::ostream& output,
                 std::ostream& errors);

/// Whether an option of that name ("--limit") is one of `check`, and if so, whether it takes a
/// value: for `jitscope record --check`, which takes both commands' options. None: it is none of
/// them.
std::optional<bool> checkOptionTakesValue(std::string_view name);

/// Reads the arguments of `check` and the configuration, not the run: for who makes the run first.
/// Gives 0, or the exit status of the error that it writes to `errors`.
int checkPreflight(std::span<const std::string> arguments, std::ostream& errors);

/// As above, to standard error.
int checkPreflight(std::span<const std::string> arguments);

/// `jitscope diff BEFORE AFTER [--format text|json|markdown] [-o FILE]`: what is new, gone, slower
/// and faster. Gives the exit status as `reportCommand` does; a difference is no failure.
int diffCommand(std::span<const std::string> arguments);

/// As above, to the given streams.
int diffCommand(std::span<const std::string> arguments, std::ostream& output, std::ostream& errors);

/// `jitscope export PATH --to FORMAT -o OUT`: the run in a format of other tools. Gives the exit
/// status as `reportCommand` does.
int exportCommand(std::span<const std::string> arguments);

/// As above, to the given streams.
int exportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors);

/// `jitscope query PATH SQL [--format table|csv|json]`: what SQL answers over the run's tables.
/// Gives the exit status as `reportCommand` does; 2 also for SQL that is refused.
int queryCommand(std::span<const std::string> arguments);

/// As above, to the given streams.
int queryCommand(std::span<const std::string> arguments, std::ostream& output,
                 std::ostream& errors);

}  // namespace jitscope::analyzer
