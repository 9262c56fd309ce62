#pragma once

#include <string>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// The whole run: a row of calls and compilations for each thread, a row for each stream of a
/// device. Empty when there is nothing to draw.
std::string runPicture(const Run& run);

/// The typical eager call above the typical compiled call of one callable, both from their start,
/// with the operators and kernels of each. Empty when no callable ran both ways.
std::string eagerAgainstCompiledPicture(const Run& run, const Analysis& analysis);

}  // namespace jitscope::analyzer
