#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Recompilations: the guard that failed, its cause, and what compiling again cost.
std::vector<Finding> findRecompiles(const Subject& subject);

}  // namespace jitscope::analyzer
