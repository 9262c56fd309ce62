#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// What profilers, AOTInductor and LibTorch wrote into a log when they could not go on: one finding
/// for each topic, over all lines and processes.
std::vector<Finding> findProgramMessages(const Subject& subject);

}  // namespace jitscope::analyzer
