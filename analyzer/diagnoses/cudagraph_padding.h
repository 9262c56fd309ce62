#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// What an inference server loses between the batches that came and the sizes for which it has
/// captured CUDA graphs: rows of padding, and batches beyond the largest size.
std::vector<Finding> findCudagraphPadding(const Subject& subject);

}  // namespace jitscope::analyzer
