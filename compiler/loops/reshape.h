#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/graph.h"
#include "compiler/loops/index.h"

namespace jitscope::compiler {

/// Where a tensor of sizes `from` holds the element at `at` of its reshape to sizes `to`.
std::vector<Index> reshapedCoordinates(std::span<const Index> from, std::span<const Index> to,
                                       std::span<const Index> at, const IndexRanges& ranges);

/// Whether `result` is `source` under another shape in the same memory, by their strides at the
/// example sizes.
bool isViewable(const TensorType& source, const TensorType& result,
                const std::vector<int64_t>& hints);

}  // namespace jitscope::compiler
