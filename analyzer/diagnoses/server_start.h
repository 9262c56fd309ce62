#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Finds where the start of a model server went as far as compiling goes: stages that its log
/// tells, of the slowest worker.
std::vector<Finding> findServerStarts(const Subject& subject);

}  // namespace jitscope::analyzer
