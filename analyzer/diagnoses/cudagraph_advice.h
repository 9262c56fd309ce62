#pragma once

#include "analyzer/diagnoses/cudagraph_trouble.h"

namespace jitscope::analyzer {

/// What to tell of a trouble with CUDA graphs.
Advice adviceOf(const CudagraphGroup& group);

}  // namespace jitscope::analyzer
