#include "compiler/loops/split_reduction.h"

#include <algorithm>
#include <limits>

namespace jitscope::compiler {
namespace {

/// Enough work side by side, by kind of device.
struct DeviceNeeds {
  int64_t fewResults;    ///< with fewer rows than this a reduction is split
  int64_t fewColumns;    ///< the same where neighbours in memory belong to different results
  int64_t smallestPart;  ///< elements that are worth a part
  int64_t mostParts;
};
constexpr DeviceNeeds kProcessor{16, 256, 16384, 64};
constexpr DeviceNeeds kGpu{264, 67584, 32768, 1056};

/// Rows of a part of a column that are worth it, where columns are many.
constexpr int64_t kSmallestColumn = 16;

bool isCuda(const TensorType& type) { return type.device.kind == 1; }

/// Whether the innermost loop walks along the memory of the argument.
bool isAlongMemory(NodeLowering& node, const ReductionLoops& loops) {
  const TensorType& type = node.type(node.arguments.tensor("self"));
  const auto least = [&](const std::vector<size_t>& dims) {
    int64_t stride = std::numeric_limits<int64_t>::max();
    for (const size_t dim : dims) {
      const int64_t own = type.strides[dim].evaluate(node.hints());
      if (!loops.source->sizes[dim].is(1) && own > 0) stride = std::min(stride, own);
    }
    return stride;
  };
  return least(loops.reducedDims) <= least(loops.keptDims);
}

}  // namespace

ScalarId identityOf(Body& body, ReductionOp op, ElementType type) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto limit = [&](bool isLeast) {
    if (isFloating(type)) return body.real(isLeast ? -infinity : infinity, type);
    if (type == ElementType::kBool) return body.integer(isLeast ? 0 : 1, type);
    if (type == ElementType::kUInt8) return body.integer(isLeast ? 0 : 255, type);
    const int64_t most = std::numeric_limits<int64_t>::max() >> (64 - 8 * sizeBytes(type));
    return body.integer(isLeast ? -most - 1 : most, type);
  };
  switch (op) {
    case ReductionOp::kProduct:
    case ReductionOp::kAll:
      return body.integer(1, type);
    case ReductionOp::kMaximum:
      return limit(true);
    case ReductionOp::kMinimum:
      return limit(false);
    default:
      return body.integer(0, type);
  }
}

std::optional<ReductionSplit> splitOf(NodeLowering& node, const ReductionLoops& loops) {
  const DeviceNeeds& needs = isCuda(node.resultType()) ? kGpu : kProcessor;
  const int64_t results = productOf(loops.outer).evaluate(node.hints());
  const Index inner = loops.innerCount();
  const int64_t count = inner.evaluate(node.hints());
  ReductionSplit split;
  split.partsOutside = !isAlongMemory(node, loops);
  const int64_t few = split.partsOutside ? needs.fewColumns : needs.fewResults;
  if (results >= few || results == 0) return std::nullopt;
  // Columns share lines of memory, and a vector of them is one unit of work.
  const int64_t units = split.partsOutside ? (results + 63) / 64 : results;
  const int64_t smallest = split.partsOutside
                               ? std::max(kSmallestColumn, needs.smallestPart / results)
                               : needs.smallestPart;
  const int64_t wanted = std::min(needs.mostParts / units, count / smallest);
  if (wanted < 2) return std::nullopt;
  split.parts = wanted;
  // Parts of equal size need no test at their end.
  for (int64_t parts = wanted; inner.isConstant() && parts > wanted / 2; --parts) {
    if (count % parts != 0) continue;
    split.parts = parts;
    split.isExact = true;
    break;
  }
  split.partSize = inner.isConstant() ? Index((count + split.parts - 1) / split.parts)
                                      : floorDivided(inner + (split.parts - 1), split.parts);
  return split;
}

void lowerSplit(NodeLowering& node, const ReductionLoops& loops, const ReductionSplit& split,
                ReductionOp op, bool keepsDims,
                const std::function<ScalarId(PointBuilder&, ScalarId)>& element,
                const std::function<ScalarId(Body&, ScalarId)>& result) {
  const size_t kept = loops.outer.size(), partLoop = split.partsOutside ? 0 : kept;
  std::vector<Index> outer = loops.outer;
  outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(partLoop), Index(split.parts));
  const BufferId parts = node.partialNest(outer, {split.partSize}, [&](PointBuilder& point) {
    std::vector<Index> loopOf = PointBuilder::loops(0, kept + 2);
    const Index position = loopOf[partLoop] * split.partSize + loopOf[kept + 1];
    loopOf.erase(loopOf.begin() + static_cast<std::ptrdiff_t>(partLoop));
    std::vector<Index> coordinates(loops.source->sizes.size());
    for (size_t i = 0; i < kept; ++i) coordinates[loops.keptDims[i]] = loopOf[i];
    const auto reduced = delinearized(position, loops.inner, point.ranges());
    for (size_t i = 0; i < reduced.size(); ++i) coordinates[loops.reducedDims[i]] = reduced[i];
    for (size_t i = 0; i < coordinates.size(); ++i) {
      if (loops.source->sizes[i].is(1)) coordinates[i] = 0;
    }
    const auto value = [&] { return element(point, loops.source->load(point, coordinates)); };
    if (split.isExact) return point.reduce(op, value());
    Body& body = point.body();
    const ScalarId isInside =
        body.compare(ScalarOp::kLess, body.position(position), body.position(loops.innerCount()));
    const ScalarId inside = point.guarded(isInside, value);
    const ElementType type = body[inside].type;
    return point.reduce(op, body.select(isInside, inside, identityOf(body, op, type)));
  });
  node.nest(loops.outer, {Index(split.parts)}, [&](PointBuilder& point) {
    std::vector<Index> at = PointBuilder::loops(0, kept + 1);
    const Index part = at.back();
    at.pop_back();
    at.insert(at.begin() + static_cast<std::ptrdiff_t>(partLoop), part);
    const ScalarId total = point.reduce(op, point.load(parts, linearized(at, outer)));
    return std::vector{NodeLowering::NestResult{0, loops.resultCoordinates(keepsDims), false,
                                                result(point.body(), total)}};
  });
}

}  // namespace jitscope::compiler
