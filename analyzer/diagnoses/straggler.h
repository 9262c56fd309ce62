#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// The rank for which the others wait in collectives. Needs recordings of several ranks.
std::vector<Finding> findStragglers(const Subject& subject);

}  // namespace jitscope::analyzer
