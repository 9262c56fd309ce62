#pragma once

#include <string>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Sentences about what the files cannot tell: processes whose recording was not closed, a log
/// without a profile beside it and the reverse, profiles without GPU work or without steps,
/// steps that were asked for and did not come, places without file and line.
std::vector<std::string> recordingNotes(const Run& run);

}  // namespace jitscope::analyzer
