#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/pointwise.h"
#include "compiler/loops/reduction_loops.h"

namespace jitscope::compiler {
namespace {

using NestResult = NodeLowering::NestResult;
using At = std::span<const Index>;

/// Softmax or its logarithm. A row's maximum goes off first, so that exp cannot overflow.
template <bool kIsLog>
bool softmax(NodeLowering& node) {
  const auto loops = reductionLoops(node, "self", node.arguments.integers("dim"));
  const ElementType type = node.resultElement();
  if (!loops || !isFloating(type) || !node.arguments.isUnderstood()) return false;
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const ScalarId value = point.body().cast(loops->load(point), type);
    const ScalarId shifted = m.subtract(value, point.reduce(ReductionOp::kMaximum, value));
    const ScalarId power = m.apply(ScalarOp::kExp, shifted);
    const ScalarId total = point.reduce(ReductionOp::kSum, power);
    const ScalarId result =
        kIsLog ? m.subtract(shifted, m.apply(ScalarOp::kLog, total)) : m.divide(power, total);
    return std::vector{NestResult{0, loops->elementCoordinates(), true, result}};
  });
  return true;
}

/// The scalar of an optional weight or bias, whose dimensions are the last ones of the input.
ScalarId parameterAt(PointBuilder& point, const LoweredRef& parameter, At at, ElementType type) {
  return point.body().cast(loadBroadcast(point, parameter, at), type);
}

bool isAbsentOrLowered(NodeLowering& node, std::string_view name, const LoweredRef& tensor) {
  return tensor || node.arguments.tensor(name) == ValueId::kNone;
}

/// layer_norm; native_layer_norm gives mean and 1 / deviation too.
bool layerNorm(NodeLowering& node) {
  const auto shape = node.arguments.integers("normalized_shape");
  const auto loops = trailingLoops(node, "input", shape ? shape->size() : 0);
  const LoweredRef weight = node.tensor("weight"), bias = node.tensor("bias");
  const double epsilon = node.arguments.real("eps", 1e-5);
  const ElementType type = node.resultElement();
  if (!loops || !isAbsentOrLowered(node, "weight", weight) ||
      !isAbsentOrLowered(node, "bias", bias) || !isFloating(type)) {
    return false;
  }
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const std::vector<Index> at = loops->elementCoordinates();
    const ScalarId value = point.body().cast(loops->load(point), type);
    const Index count = loops->innerCount();
    const Moments found = moments(point, m, value, count);
    const ScalarId variance = m.divide(found.squares, m.of(count));
    const ScalarId scale = m.apply(ScalarOp::kRsqrt, m.add(variance, m.number(epsilon)));
    ScalarId result = m.multiply(m.subtract(value, found.mean), scale);
    if (weight) result = m.multiply(result, parameterAt(point, weight, at, type));
    if (bias) result = m.add(result, parameterAt(point, bias, at, type));
    std::vector<NestResult> results{{0, at, true, result}};
    if (node.resultCount() == 3) {
      results.push_back({1, loops->resultCoordinates(true), false, found.mean});
      results.push_back({2, loops->resultCoordinates(true), false, scale});
    }
    return results;
  });
  return true;
}

double machineEpsilon(ElementType type) {
  switch (type) {
    case ElementType::kFloat64:
      return 2.220446049250313e-16;
    case ElementType::kFloat16:
      return 0.0009765625;
    case ElementType::kBFloat16:
      return 0.0078125;
    default:
      return 1.1920928955078125e-07;
  }
}

bool rmsNorm(NodeLowering& node) {
  const auto shape = node.arguments.integers("normalized_shape");
  const auto loops = trailingLoops(node, "input", shape ? shape->size() : 0);
  const LoweredRef weight = node.tensor("weight");
  const ElementType type = node.resultElement();
  // torch takes the epsilon of the type that it computes in.
  const double epsilon = node.arguments.real("eps", machineEpsilon(computeType(type)));
  if (!loops || !isAbsentOrLowered(node, "weight", weight) || !isFloating(type)) return false;
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const std::vector<Index> at = loops->elementCoordinates();
    const ScalarId value = point.body().cast(loops->load(point), type);
    const ScalarId total = point.reduce(ReductionOp::kSum, m.multiply(value, value));
    const ScalarId mean = m.divide(total, m.of(loops->innerCount()));
    const ScalarId scale = m.apply(ScalarOp::kRsqrt, m.add(mean, m.number(epsilon)));
    ScalarId result = m.multiply(value, scale);
    if (weight) result = m.multiply(result, parameterAt(point, weight, at, type));
    return std::vector{NestResult{0, at, true, result}};
  });
  return true;
}

/// A parameter with one number for each channel, dimension 1.
ScalarId channelOf(PointBuilder& point, const LoweredRef& parameter, const Index& channel,
                   ElementType type) {
  const std::vector<Index> at{channel};
  return point.body().cast(parameter->load(point, at), type);
}

/// native_group_norm goes by its arguments N and C, whatever the sizes of its input.
bool isShapedAsTold(NodeLowering& node, const LoweredTensor& input) {
  const std::optional<Index> batch = node.arguments.index("N");
  const std::optional<Index> channels = node.arguments.index("C");
  return batch && channels && *batch == input.sizes[0] && *channels == input.sizes[1];
}

/// Normalises each group of channels of a contiguous input, which is then a plain row.
/// native_group_norm, whose number of groups has another name, gives mean and 1 / deviation too.
bool groupNorm(NodeLowering& node) {
  const LoweredRef input = node.tensor("input");
  const LoweredRef weight = node.tensor("weight"), bias = node.tensor("bias");
  const bool isNative = node.resultCount() == 3;
  const int64_t groups = node.arguments.integer(isNative ? "group" : "num_groups", 1);
  const double epsilon = node.arguments.real("eps", 1e-5);
  const ElementType type = node.resultElement();
  if (!input || input->sizes.size() < 2 || !isFloating(type) || !node.arguments.isUnderstood() ||
      !isAbsentOrLowered(node, "weight", weight) || !isAbsentOrLowered(node, "bias", bias)) {
    return false;
  }
  const Index& channels = input->sizes[1];
  if (!channels.isConstant() || channels.constant() % groups != 0) return false;
  if (isNative && !isShapedAsTold(node, *input)) return false;
  const Index channelsEach(channels.constant() / groups);
  std::vector<Index> inner{channelsEach};
  inner.insert(inner.end(), input->sizes.begin() + 2, input->sizes.end());
  node.nest({input->sizes[0], Index(groups)}, inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const auto loops = PointBuilder::loops(0, 2 + inner.size());
    const Index channel = loops[1] * channelsEach + loops[2];
    std::vector<Index> at{loops[0], channel};
    at.insert(at.end(), loops.begin() + 3, loops.end());
    const ScalarId value = point.body().cast(input->load(point, at), type);
    const Index count = productOf(inner);
    const Moments found = moments(point, m, value, count);
    const ScalarId variance = m.divide(found.squares, m.of(count));
    const ScalarId scale = m.apply(ScalarOp::kRsqrt, m.add(variance, m.number(epsilon)));
    ScalarId result = m.multiply(m.subtract(value, found.mean), scale);
    if (weight) result = m.multiply(result, channelOf(point, weight, channel, type));
    if (bias) result = m.add(result, channelOf(point, bias, channel, type));
    std::vector<NestResult> results{{0, at, true, result}};
    if (isNative) {
      const std::vector<Index> group{loops[0], loops[1]};
      results.push_back({1, group, false, found.mean});
      results.push_back({2, group, false, scale});
    }
    return results;
  });
  return true;
}

/// With running statistics alone: element by element.
bool batchNorm(NodeLowering& node) {
  const LoweredRef input = node.tensor("input");
  const LoweredRef mean = node.tensor("running_mean"), variance = node.tensor("running_var");
  const LoweredRef weight = node.tensor("weight"), bias = node.tensor("bias");
  const double epsilon = node.arguments.real("eps", 1e-5);
  const ElementType type = node.resultElement();
  if (node.arguments.boolean("training", true) || !input || !mean || !variance ||
      input->sizes.size() < 2 || node.resultCount() != 1 ||
      !isAbsentOrLowered(node, "weight", weight) || !isAbsentOrLowered(node, "bias", bias)) {
    return false;
  }
  node.pointwise(
      0,
      [=](PointBuilder& point, At at) {
        const ElementType in = computeType(type);
        const ScalarMath m(point.body(), in);
        const auto of = [&](const LoweredRef& parameter) {
          return channelOf(point, parameter, at[1], in);
        };
        const ScalarId scale = m.apply(ScalarOp::kRsqrt, m.add(of(variance), m.number(epsilon)));
        ScalarId result =
            m.multiply(m.subtract(point.body().cast(input->load(point, at), in), of(mean)), scale);
        if (weight) result = m.multiply(result, of(weight));
        return bias ? m.add(result, of(bias)) : result;
      },
      std::vector{input, mean, variance, weight, bias}, 6);
  return true;
}

constexpr NamedRule kNormalizationRules[]{
    {"aten::softmax", softmax<false>},    {"aten::_softmax", softmax<false>},
    {"aten::log_softmax", softmax<true>}, {"aten::_log_softmax", softmax<true>},
    {"aten::layer_norm", layerNorm},      {"aten::native_layer_norm", layerNorm},
    {"aten::rms_norm", rmsNorm},          {"aten::group_norm", groupNorm},
    {"aten::batch_norm", batchNorm},      {"aten::native_group_norm", groupNorm},
};

}  // namespace

std::span<const NamedRule> normalizationRules() { return kNormalizationRules; }

}  // namespace jitscope::compiler
