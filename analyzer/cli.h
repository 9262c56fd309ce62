#pragma once

#include <iosfwd>
#include <span>
#include <string>

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

}  // namespace jitscope::analyzer
