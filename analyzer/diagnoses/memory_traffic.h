#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Kernels that move more bytes than their work needs, and kernels that move them slowly, where the
/// recording has bytes: measured, or by model. The two are never mixed.
std::vector<Finding> findMemoryTraffic(const Subject& subject);

}  // namespace jitscope::analyzer
