#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Time in which a device had nothing to do because the host was late: launching one small kernel
/// after the other, or waiting for a result first.
std::vector<Finding> findIdleDevices(const Subject& subject);

}  // namespace jitscope::analyzer
