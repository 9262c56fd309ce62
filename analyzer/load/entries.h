#pragma once

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Fills `run.entries` from compilations that succeeded, hits and regions.
void buildEntries(Run& run);

}  // namespace jitscope::analyzer
