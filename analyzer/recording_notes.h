#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Whether the files of a run tell what was compiled, and so graph breaks, guards and recompiles.
/// Those of a profiler alone do not: that such a run has none of these rows does not mean that
/// there were none. A run with compilations tells of them, whatever its files are.
bool tellsCompiles(const Run& run);

/// What to say of a run that does not, and what to record instead.
inline constexpr std::string_view kCompilesUntold =
    "These files tell neither graph breaks nor recompiles: run the program with `jitscope record` "
    "or with TORCH_TRACE=FOLDER, which do.";

/// Sentences about what the files cannot tell: processes whose recording was not closed, a log
/// without a profile beside it and the reverse, profiles without GPU work or without steps,
/// steps that were asked for and did not come, places without file and line.
std::vector<std::string> recordingNotes(const Run& run);

}  // namespace jitscope::analyzer
