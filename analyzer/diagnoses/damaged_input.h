#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// What was wrong with the files of a run as files, why their writer does that, and what to do.
std::vector<Finding> findDamagedInputs(const Subject& subject);

}  // namespace jitscope::analyzer
