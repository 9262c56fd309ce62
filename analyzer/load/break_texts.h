#pragma once

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Fills in the texts that later passes over a graph break leave empty, from a pass that has them.
void fillBreakTexts(Run& run);

}  // namespace jitscope::analyzer
