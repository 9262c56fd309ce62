#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Finds functions that warned that they run unfused because nothing compiled them. One that ran so
/// because of a recompile limit is told with the limit.
std::vector<Finding> findEagerFallbacks(const Subject& subject);

}  // namespace jitscope::analyzer
