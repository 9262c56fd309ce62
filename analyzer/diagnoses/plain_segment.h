#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Segments that replays ran operator by operator instead of by their graph.
std::vector<Finding> findPlainSegments(const Subject& subject);

}  // namespace jitscope::analyzer
