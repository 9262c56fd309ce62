#pragma once

#include <stdexcept>
#include <string>

#include "compiler/graph.h"

namespace jitscope {

namespace compiler {

/// Why a graph broke, in Dynamo's words where Dynamo has them.
struct BreakReason {
  std::string type;         ///< "Unsupported Tensor.item() call with capture_scalar_outputs=False"
  std::string explanation;  ///< what happened
  std::string hint;         ///< what to do, one line per hint
  std::string context;      ///< developer debug context: the operator or what user code did
  std::string op;           ///< operator's name; empty when no operator broke
};

}  // namespace compiler

/// Thrown by a compiled function under `fullgraph` at the first graph break; the text names the
/// reason, the file and the line.
class GraphBreakError : public std::runtime_error {
 public:
  GraphBreakError(compiler::BreakReason reason, compiler::SourceLine place);

  const compiler::BreakReason& reason() const { return reason_; }

  /// The line of user code that broke the graph; an empty file where that is not known.
  const compiler::SourceLine& place() const { return place_; }

 private:
  compiler::BreakReason reason_;
  compiler::SourceLine place_;
};

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
