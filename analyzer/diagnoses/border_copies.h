#pragma once

#include <vector>

#include "analyzer/diagnoses/diagnosis.h"

namespace jitscope::analyzer {

/// Casts, copies and changes of layout that run eagerly right in front of, behind or between
/// kernels of compiled code or of a replayed CUDA graph: work that would be none, or fused, on the
/// other side of the border.
std::vector<Finding> findBorderCopies(const Subject& subject);

}  // namespace jitscope::analyzer
