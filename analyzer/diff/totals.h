#pragma once

#include <vector>

#include "analyzer/diff.h"

namespace jitscope::analyzer {

/// The numbers of two whole runs beside each other.
std::vector<TotalDifference> compareTotals(const Run& before, const Analysis& beforeAnalysis,
                                           const Run& after, const Analysis& afterAnalysis);

}  // namespace jitscope::analyzer
