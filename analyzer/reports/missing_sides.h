#pragma once

#include <string>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What a run of files of other tools cannot tell, and what to record to know it: a sentence each.
std::vector<std::string> missingSides(const Run& run);

}  // namespace jitscope::analyzer
