#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collector/record/output.h"
#include "trace/result.h"

namespace jitscope::collector {

/// What the launcher knows of a program that left no trace of its own.
struct UnrecordedProgram {
  pid_t pid = 0;
  int64_t startNs = 0;
  std::vector<std::string> command;
  std::string executable;
  std::string reason;  ///< why nothing could be recorded; empty when that is not known
};

/// Puts a trace in the program's place that says that it ran and why nothing more is known, so that
/// every recording can be opened. When that cannot be written either, nothing is left; the error
/// says why.
trace::Result<void> writeStandIn(const Output& output, const UnrecordedProgram& program);

}  // namespace jitscope::collector
