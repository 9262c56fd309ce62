#include <algorithm>

#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/reduction_loops.h"
#include "compiler/loops/split_reduction.h"

namespace jitscope::compiler {
namespace {

using NestResult = NodeLowering::NestResult;

/// The reduced dimensions, whichever of torch's ways names them.
std::optional<std::vector<int64_t>> dimsOf(NodeLowering& node) {
  return node.arguments.integers("dim");
}

bool keepsDims(NodeLowering& node) { return node.arguments.boolean("keepdim", false); }

/// One reduction with one result: `before` makes of an element what is reduced, `after` of the
/// reduction the result.
struct SimpleReduction {
  ReductionOp op = ReductionOp::kSum;
  ElementType type = ElementType::kFloat32;  ///< of what is reduced
  std::function<ScalarId(Body&, ScalarId)> before, after;
};

bool lowerSimple(NodeLowering& node, const SimpleReduction& reduction) {
  const auto loops = reductionLoops(node, "self", dimsOf(node));
  const bool keeps = keepsDims(node);
  if (!loops || !node.arguments.isUnderstood() || node.resultCount() != 1) return false;
  const auto element = [&](PointBuilder& point, ScalarId value) {
    const ScalarId cast = point.body().cast(value, reduction.type);
    return reduction.before ? reduction.before(point.body(), cast) : cast;
  };
  const auto result = [&](Body& body, ScalarId value) {
    return body.cast(reduction.after ? reduction.after(body, value) : value, node.resultElement());
  };
  if (const auto split = splitOf(node, *loops)) {
    lowerSplit(node, *loops, *split, reduction.op, keeps, element, result);
    return true;
  }
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarId value = point.reduce(reduction.op, element(point, loops->load(point)));
    return std::vector{
        NestResult{0, loops->resultCoordinates(keeps), false, result(point.body(), value)}};
  });
  return true;
}

bool sum(NodeLowering& node) {
  return lowerSimple(node, {ReductionOp::kSum, node.resultElement(), {}, {}});
}

bool product(NodeLowering& node) {
  return lowerSimple(node, {ReductionOp::kProduct, node.resultElement(), {}, {}});
}

bool mean(NodeLowering& node) {
  const ElementType type = node.resultElement();
  const auto loops = reductionLoops(node, "self", dimsOf(node));
  if (!loops || !isFloating(type)) return false;
  const Index count = loops->innerCount();
  return lowerSimple(node, {ReductionOp::kSum, type, {}, [=](Body& body, ScalarId total) {
                              const ScalarMath m(body, computeType(type));
                              return m.divide(total, m.of(count));
                            }});
}

template <ReductionOp kOp>
bool extremum(NodeLowering& node) {
  // With a dimension, max and min also tell where.
  if (node.resultCount() != 1 || node.arguments.has("other")) return false;
  return lowerSimple(node, {kOp, node.resultElement(), {}, {}});
}

template <ReductionOp kOp>
bool truth(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || node.resultElement() != ElementType::kBool) return false;
  const ElementType type = computeType(self->type);
  return lowerSimple(node, {kOp,
                            type,
                            [type](Body& body, ScalarId value) {
                              if (type == ElementType::kBool) return value;
                              return body.compare(ScalarOp::kNotEqual, value,
                                                  body.integer(0, type));
                            },
                            {}});
}

/// Variance of a nest's value: squared distances over the count less the correction.
ScalarId varianceOf(const ScalarMath& m, ScalarId squares, const Index& count, double correction) {
  const ScalarId divisor = m.subtract(m.of(count), m.number(correction));
  return m.divide(squares, m.maximum(divisor, m.number(0)));
}

/// var, std and those that give the mean too.
template <bool kIsRoot, bool kHasMean>
bool spread(NodeLowering& node) {
  const auto loops = reductionLoops(node, "self", dimsOf(node));
  const bool isUnbiased = node.arguments.boolean("unbiased", true);
  const double correction = node.arguments.real("correction", isUnbiased ? 1 : 0);
  const bool keeps = keepsDims(node);
  const ElementType type = node.resultElement();
  if (!loops || !isFloating(type) || !node.arguments.isUnderstood()) return false;
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const ScalarId value = point.body().cast(loops->load(point), type);
    const Moments found = moments(point, m, value, loops->innerCount());
    ScalarId result = varianceOf(m, found.squares, loops->innerCount(), correction);
    if (kIsRoot) result = m.apply(ScalarOp::kSqrt, result);
    std::vector<NestResult> results{{0, loops->resultCoordinates(keeps), false, result}};
    if (kHasMean) results.push_back({1, loops->resultCoordinates(keeps), false, found.mean});
    return results;
  });
  return true;
}

bool logSumExp(NodeLowering& node) {
  const auto loops = reductionLoops(node, "self", dimsOf(node));
  const bool keeps = keepsDims(node);
  const ElementType type = node.resultElement();
  if (!loops || !isFloating(type) || !node.arguments.isUnderstood()) return false;
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const ScalarId value = point.body().cast(loops->load(point), type);
    const ScalarId most = point.reduce(ReductionOp::kMaximum, value);
    // An infinite maximum is the result; subtracting it would give NaN.
    const ScalarId infinite = point.body().unary(ScalarOp::kIsInfinite, most);
    const ScalarId shift = point.body().select(infinite, m.number(0), most);
    const ScalarId total =
        point.reduce(ReductionOp::kSum, m.apply(ScalarOp::kExp, m.subtract(value, shift)));
    const ScalarId result = m.add(m.apply(ScalarOp::kLog, total), shift);
    return std::vector{NestResult{0, loops->resultCoordinates(keeps), false, result}};
  });
  return true;
}

constexpr NamedRule kReductionRules[]{
    {"aten::sum", sum},
    {"aten::prod", product},
    {"aten::mean", mean},
    {"aten::amax", extremum<ReductionOp::kMaximum>},
    {"aten::amin", extremum<ReductionOp::kMinimum>},
    {"aten::max", extremum<ReductionOp::kMaximum>},
    {"aten::min", extremum<ReductionOp::kMinimum>},
    {"aten::any", truth<ReductionOp::kAny>},
    {"aten::all", truth<ReductionOp::kAll>},
    {"aten::var", spread<false, false>},
    {"aten::std", spread<true, false>},
    {"aten::var_mean", spread<false, true>},
    {"aten::std_mean", spread<true, true>},
    {"aten::logsumexp", logSumExp},
};

}  // namespace

std::span<const NamedRule> reductionRules() { return kReductionRules; }

}  // namespace jitscope::compiler
