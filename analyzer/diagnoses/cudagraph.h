#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// CUDA graphs that were not recorded, were recorded again for each size, or whose outputs were
/// read after they had been overwritten.
std::vector<Finding> findCudagraphs(const Subject& subject);

}  // namespace jitscope::analyzer
