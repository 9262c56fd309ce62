#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Calls whose operators departed from the recorded stream.
std::vector<Finding> findReplayDivergences(const Subject& subject);

}  // namespace jitscope::analyzer
