#pragma once

#include <stdexcept>

#include "compiler/frontend/program.h"

namespace jitscope {

/// Thrown by a compiled function under `fullgraph` at the first graph break; the text names the
/// reason, the file and the line.
using compiler::GraphBreakError;

/// Thrown instead of compiling again, where a recompile was declared an error (`failOnRecompile`,
/// the stance kFailOnRecompile, the recompile limit under `fullgraph`). The text lists the failed
/// guards.
class RecompileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when a dimension marked dynamic cannot be: the text names the size, the constant that it
/// became, and the line of user code that made it one.
class ConstraintViolationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace jitscope
