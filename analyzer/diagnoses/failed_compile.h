#pragma once

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Compilations that threw, by callable and reason: a call failed, and no entry came of it.
std::vector<Finding> findFailedCompiles(const Subject& subject);

}  // namespace jitscope::analyzer
