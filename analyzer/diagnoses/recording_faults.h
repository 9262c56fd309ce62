#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// What is wrong with a recording of a device, so that numbers of this report are not to be taken
/// at their face: lost kernels, lost times, a clock that runs ahead, work that cannot be joined.
std::vector<Finding> findRecordingFaults(const Subject& subject);

}  // namespace jitscope::analyzer
