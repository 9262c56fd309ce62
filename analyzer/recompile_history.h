#pragma once

#include <string>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A recompilation, and why it came.
struct Recompile {
  CompileIndex compile = CompileIndex::kNone;
  CallIndex call = CallIndex::kNone;  ///< the call that had to wait for it, if recorded
  std::string cause;             ///< class of the cause, in the words of REPORT.md: "size", …
  std::string change;            ///< "size 0 of x changed from 4 to 8"
  std::string guard;             ///< the guard that failed, in Dynamo's words; may be empty
  std::string expected, actual;  ///< may be empty
};

/// All recompilations (C >= 1) of a run, by start time.
std::vector<Recompile> recompileHistory(const Run& run);

}  // namespace jitscope::analyzer
