#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Finds time that went into trying kernels for one operator after the other.
std::vector<Finding> findAutotunes(const Subject& subject);

}  // namespace jitscope::analyzer
