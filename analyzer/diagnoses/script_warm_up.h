#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// TorchScript modules whose first calls, or calls with new shapes, are far slower than the others:
/// the executor profiles them and compiles fused kernels for their shapes.
std::vector<Finding> findScriptWarmUps(const Subject& subject);

}  // namespace jitscope::analyzer
