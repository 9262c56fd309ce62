#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Compiled functions that spend a good part of each call on finding out which entry fits.
std::vector<Finding> findGuardCosts(const Subject& subject);

}  // namespace jitscope::analyzer
