#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Graph breaks: reason, place, and the time that passed between segments.
std::vector<Finding> findGraphBreaks(const Subject& subject);

}  // namespace jitscope::analyzer
