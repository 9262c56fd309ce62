#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Time in which a device does nothing but wait in collectives, of recordings of one rank: whether
/// another rank is late or the network is slow, such a recording cannot tell. (Several ranks are
/// compared by findStragglers.)
std::vector<Finding> findExposedCollectives(const Subject& subject);

}  // namespace jitscope::analyzer
