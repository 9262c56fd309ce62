#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// What the first launches cost because CUDA loads the code of kernels only then, and what calls
/// cost that load modules: why the first inference of a program is slow without any compiler.
std::vector<Finding> findModuleLoads(const Subject& subject);

}  // namespace jitscope::analyzer
