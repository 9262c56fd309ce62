#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/loops/lowering.h"
#include "compiler/loops/scalar_math.h"

namespace jitscope::compiler {

/// Which dimensions of a tensor a reduction goes over, and the loops for that.
struct ReductionLoops {
  LoweredRef source;
  std::vector<size_t> keptDims, reducedDims;  ///< in the order of the loops
  std::vector<Index> outer, inner;            ///< their sizes

  /// The source's element at a point of all loops, whose variables start with `outer`.
  ScalarId load(PointBuilder& point) const;
  /// Where the result of a reduction lies for that point.
  std::vector<Index> resultCoordinates(bool keepsDims) const;
  /// Where the element itself lies.
  std::vector<Index> elementCoordinates() const;
  Index innerCount() const { return productOf(inner); }
};

/// The loops over `source`, which is the argument of that name, for the reduced dimensions `dims`
/// (all when absent or empty). Loops run in the order of memory.
std::optional<ReductionLoops> reductionLoops(NodeLowering& node, std::string_view source,
                                             const std::optional<std::vector<int64_t>>& dims);
/// The loops that reduce the last `count` dimensions.
std::optional<ReductionLoops> trailingLoops(NodeLowering& node, std::string_view source,
                                            size_t count);

/// The mean of a value over the inner loops, and the sum of squared distances from it.
struct Moments {
  ScalarId mean, squares;
};
Moments moments(PointBuilder& point, const ScalarMath& m, ScalarId value, const Index& count);

}  // namespace jitscope::compiler
