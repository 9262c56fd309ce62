#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Frames that reached their recompile limit: calls that ran eagerly since.
std::vector<Finding> findRecompileLimits(const Subject& subject);

}  // namespace jitscope::analyzer
