#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Chains of small kernels that each read and write the same numbers once more: element by element
/// work, and reductions beside it, that run eagerly, one kernel an operator.
std::vector<Finding> findMissedFusions(const Subject& subject);

}  // namespace jitscope::analyzer
