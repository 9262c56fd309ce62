#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Sizes that user code read and that became constants of an entry.
std::vector<Finding> findSpecializedSizes(const Subject& subject);

}  // namespace jitscope::analyzer
