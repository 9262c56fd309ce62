#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// First compilations that a cache on disk could have answered and did not.
std::vector<Finding> findColdCompiles(const Subject& subject);

}  // namespace jitscope::analyzer
