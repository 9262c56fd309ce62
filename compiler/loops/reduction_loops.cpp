#include "compiler/loops/reduction_loops.h"

#include <algorithm>
#include <numeric>

namespace jitscope::compiler {
namespace {

void sortByStride(std::vector<size_t>& dims, const TensorType& type,
                  const std::vector<int64_t>& hints) {
  std::stable_sort(dims.begin(), dims.end(), [&](size_t left, size_t right) {
    return type.strides[left].evaluate(hints) > type.strides[right].evaluate(hints);
  });
}

}  // namespace

ScalarId ReductionLoops::load(PointBuilder& point) const {
  return source->load(point, elementCoordinates());
}

std::vector<Index> ReductionLoops::elementCoordinates() const {
  std::vector<Index> coordinates(source->sizes.size());
  const auto loopOf = [&](size_t dim, size_t loop) {
    coordinates[dim] = source->sizes[dim].is(1) ? Index(0) : Index::loop(LoopId(loop));
  };
  for (size_t i = 0; i < keptDims.size(); ++i) loopOf(keptDims[i], i);
  for (size_t i = 0; i < reducedDims.size(); ++i) loopOf(reducedDims[i], keptDims.size() + i);
  return coordinates;
}

std::vector<Index> ReductionLoops::resultCoordinates(bool keepsDims) const {
  const std::vector<Index> all = elementCoordinates();
  std::vector<Index> coordinates;
  for (size_t dim = 0; dim < all.size(); ++dim) {
    const bool isReduced = std::count(reducedDims.begin(), reducedDims.end(), dim) > 0;
    if (!isReduced) coordinates.push_back(all[dim]);
    if (isReduced && keepsDims) coordinates.push_back(0);
  }
  return coordinates;
}

std::optional<ReductionLoops> reductionLoops(NodeLowering& node, std::string_view source,
                                             const std::optional<std::vector<int64_t>>& dims) {
  ReductionLoops loops;
  loops.source = node.tensor(source);
  if (!loops.source) return std::nullopt;
  const auto rank = static_cast<int64_t>(loops.source->sizes.size());
  std::vector<bool> isReduced(static_cast<size_t>(rank), !dims || dims->empty());
  for (const int64_t dim : dims.value_or(std::vector<int64_t>())) {
    if (rank > 0) isReduced[static_cast<size_t>(dim < 0 ? dim + rank : dim)] = true;
  }
  for (size_t dim = 0; dim < isReduced.size(); ++dim) {
    (isReduced[dim] ? loops.reducedDims : loops.keptDims).push_back(dim);
  }
  const TensorType& type = node.type(node.arguments.tensor(source));
  sortByStride(loops.keptDims, type, node.hints());
  sortByStride(loops.reducedDims, type, node.hints());
  for (const size_t dim : loops.keptDims) loops.outer.push_back(loops.source->sizes[dim]);
  for (const size_t dim : loops.reducedDims) loops.inner.push_back(loops.source->sizes[dim]);
  return loops;
}

std::optional<ReductionLoops> trailingLoops(NodeLowering& node, std::string_view source,
                                            size_t count) {
  const LoweredRef tensor = node.tensor(source);
  if (!tensor || tensor->sizes.size() < count || count == 0) return std::nullopt;
  std::vector<int64_t> dims(count);
  std::iota(dims.begin(), dims.end(), static_cast<int64_t>(tensor->sizes.size() - count));
  return reductionLoops(node, source, dims);
}

Moments moments(PointBuilder& point, const ScalarMath& m, ScalarId value, const Index& count) {
  const ScalarId mean = m.divide(point.reduce(ReductionOp::kSum, value), m.of(count));
  const ScalarId distance = m.subtract(value, mean);
  return {mean, point.reduce(ReductionOp::kSum, m.multiply(distance, distance))};
}

}  // namespace jitscope::compiler
