#include <numbers>

#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/pointwise.h"
#include "compiler/loops/reduction_loops.h"

namespace jitscope::compiler {
namespace {

using NestResult = NodeLowering::NestResult;
using Scalars = std::span<const ScalarId>;

/// Lowers f(grad_output, name) for floating tensors.
bool gradient(NodeLowering& node, std::string_view name, int64_t operations, bool isExpensive,
              std::function<ScalarId(const ScalarMath&, ScalarId, ScalarId)> function) {
  if (!isFloating(node.resultElement())) return false;
  const ElementType type = computeType(node.resultElement());
  return lowerPointwise(node, {"grad_output", name},
                        {OperandType::kResult, operations, isExpensive},
                        [type, function = std::move(function)](Body& body, Scalars x) {
                          return function(ScalarMath(body, type), x[0], x[1]);
                        });
}

/// grad * y * (1 - y)
bool sigmoidGradient(NodeLowering& node) {
  return gradient(node, "output", 3, false, [](const ScalarMath& m, ScalarId grad, ScalarId y) {
    return m.multiply(grad, m.multiply(m.subtract(m.number(1), y), y));
  });
}

/// grad * (1 - y * y)
bool tanhGradient(NodeLowering& node) {
  return gradient(node, "output", 3, false, [](const ScalarMath& m, ScalarId grad, ScalarId y) {
    return m.multiply(grad, m.subtract(m.number(1), m.multiply(y, y)));
  });
}

bool thresholdGradient(NodeLowering& node) {
  const double limit = node.arguments.real("threshold", 0);
  return gradient(node, "self", 2, false, [=](const ScalarMath& m, ScalarId grad, ScalarId x) {
    return m.body().select(m.lessEqual(x, m.number(limit)), m.number(0), grad);
  });
}

bool leakyReluGradient(NodeLowering& node) {
  const double slope = node.arguments.real("negative_slope", 0.01);
  return gradient(node, "self", 2, false, [=](const ScalarMath& m, ScalarId grad, ScalarId x) {
    return m.body().select(m.less(m.number(0), x), grad, m.multiply(grad, m.number(slope)));
  });
}

bool hardTanhGradient(NodeLowering& node) {
  const double least = node.arguments.real("min_val", -1);
  const double most = node.arguments.real("max_val", 1);
  return gradient(node, "self", 3, false, [=](const ScalarMath& m, ScalarId grad, ScalarId x) {
    const ScalarId isOutside = m.body().binary(ScalarOp::kOr, m.lessEqual(x, m.number(least)),
                                               m.lessEqual(m.number(most), x));
    return m.body().select(isOutside, m.number(0), grad);
  });
}

/// grad * s * (1 + x * (1 - s)), s = sigmoid(x)
bool siluGradient(NodeLowering& node) {
  return gradient(node, "self", 8, true, [](const ScalarMath& m, ScalarId grad, ScalarId x) {
    const ScalarId s = m.apply(ScalarOp::kSigmoid, x);
    const ScalarId inner = m.multiply(x, m.subtract(m.number(1), s));
    return m.multiply(grad, m.multiply(s, m.add(m.number(1), inner)));
  });
}

ScalarId geluSlope(const ScalarMath& m, ScalarId x) {
  const ScalarId scaled = m.multiply(x, m.number(std::numbers::sqrt2 / 2));
  const ScalarId area =
      m.multiply(m.number(0.5), m.add(m.number(1), m.apply(ScalarOp::kErf, scaled)));
  const ScalarId bell = m.apply(ScalarOp::kExp, m.multiply(m.number(-0.5), m.multiply(x, x)));
  const double height = std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2;
  return m.add(area, m.multiply(x, m.multiply(m.number(height), bell)));
}

ScalarId geluTanhSlope(const ScalarMath& m, ScalarId x) {
  constexpr double kCube = 0.044715, kScale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  const ScalarId square = m.multiply(x, x), one = m.number(1), half = m.number(0.5);
  const ScalarId inner =
      m.multiply(m.number(kScale), m.add(x, m.multiply(m.number(kCube), m.multiply(square, x))));
  const ScalarId curve = m.apply(ScalarOp::kTanh, inner);
  const ScalarId innerSlope =
      m.multiply(m.number(kScale), m.add(one, m.multiply(m.number(3 * kCube), square)));
  const ScalarId left = m.multiply(half, m.add(one, curve));
  const ScalarId rest = m.subtract(one, m.multiply(curve, curve));
  return m.add(left, m.multiply(m.multiply(half, x), m.multiply(rest, innerSlope)));
}

bool geluGradient(NodeLowering& node) {
  const bool isTanh = node.arguments.text("approximate", "none") == "tanh";
  return gradient(node, "self", 14, true, [=](const ScalarMath& m, ScalarId grad, ScalarId x) {
    return m.multiply(grad, isTanh ? geluTanhSlope(m, x) : geluSlope(m, x));
  });
}

/// The gradient through a softmax of `output`: (grad - sum(grad * y)) * y, or for its logarithm
/// grad - exp(y) * sum(grad).
template <bool kIsLog>
bool softmaxGradient(NodeLowering& node) {
  const auto loops = reductionLoops(node, "output", node.arguments.integers("dim"));
  const LoweredRef grad = node.tensor("grad_output");
  const ElementType type = node.resultElement();
  if (!loops || !grad || !isFloating(type) || !node.arguments.isUnderstood()) return false;
  node.nest(loops->outer, loops->inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), computeType(type));
    const std::vector<Index> at = loops->elementCoordinates();
    const ScalarId y = point.body().cast(loops->load(point), type);
    const ScalarId g = point.body().cast(grad->load(point, at), type);
    const ScalarId total = point.reduce(ReductionOp::kSum, kIsLog ? g : m.multiply(g, y));
    const ScalarId result = kIsLog ? m.subtract(g, m.multiply(m.apply(ScalarOp::kExp, y), total))
                                   : m.multiply(m.subtract(g, total), y);
    return std::vector{NestResult{0, at, true, result}};
  });
  return true;
}

/// What the three gradients of a layer norm are made of, at one element.
struct LayerNormPoint {
  LoweredRef grad, input, mean, scale, weight;
  ElementType type;

  ScalarId gradient(PointBuilder& point, std::span<const Index> at) const {
    return point.body().cast(grad->load(point, at), type);
  }
  /// (x - mean) * scale
  ScalarId normal(PointBuilder& point, std::span<const Index> at) const {
    const ScalarMath m(point.body(), type);
    const auto of = [&](const LoweredRef& tensor) {
      return point.body().cast(loadBroadcast(point, tensor, at), type);
    };
    return m.multiply(m.subtract(of(input), of(mean)), of(scale));
  }
};

void inputGradient(NodeLowering& node, const LayerNormPoint& norm, const ReductionLoops& rows) {
  node.nest(rows.outer, rows.inner, [&](PointBuilder& point) {
    const ScalarMath m(point.body(), norm.type);
    const std::vector<Index> at = rows.elementCoordinates();
    const ScalarId normal = norm.normal(point, at);
    ScalarId grad = norm.gradient(point, at);
    if (norm.weight) {
      const ScalarId weight = loadBroadcast(point, norm.weight, at);
      grad = m.multiply(grad, point.body().cast(weight, norm.type));
    }
    const ScalarId count = m.of(rows.innerCount());
    const ScalarId along =
        m.divide(point.reduce(ReductionOp::kSum, m.multiply(grad, normal)), count);
    const ScalarId mean = m.divide(point.reduce(ReductionOp::kSum, grad), count);
    const ScalarId scale = point.body().cast(loadBroadcast(point, norm.scale, at), norm.type);
    const ScalarId rest = m.subtract(m.subtract(grad, mean), m.multiply(normal, along));
    return std::vector{NestResult{0, at, true, m.multiply(rest, scale)}};
  });
}

bool layerNormGradient(NodeLowering& node) {
  const auto shape = node.arguments.integers("normalized_shape");
  const auto rows = trailingLoops(node, "input", shape ? shape->size() : 0);
  LayerNormPoint norm{node.tensor("grad_out"), node.tensor("input"),  node.tensor("mean"),
                      node.tensor("rstd"),     node.tensor("weight"), ElementType::kFloat32};
  if (!rows || !norm.grad || !norm.input || !norm.mean || !norm.scale) return false;
  if (node.arguments.has("weight") && !norm.weight) return false;
  norm.type = computeType(norm.input->type);
  if (node.hasResult(0)) inputGradient(node, norm, *rows);
  // The gradients of weight and bias go over the rows: the other way round.
  ReductionLoops columns = *rows;
  std::swap(columns.outer, columns.inner);
  std::swap(columns.keptDims, columns.reducedDims);
  for (size_t position = 1; position <= 2; ++position) {
    if (!node.hasResult(position)) continue;
    node.nest(columns.outer, columns.inner, [&](PointBuilder& point) {
      const ScalarMath m(point.body(), norm.type);
      const std::vector<Index> at = columns.elementCoordinates();
      ScalarId value = norm.gradient(point, at);
      if (position == 1) value = m.multiply(value, norm.normal(point, at));
      const ScalarId total = point.reduce(ReductionOp::kSum, value);
      return std::vector{NestResult{position, columns.resultCoordinates(false), false, total}};
    });
  }
  return true;
}

constexpr NamedRule kGradientRules[]{
    {"aten::sigmoid_backward", sigmoidGradient},
    {"aten::tanh_backward", tanhGradient},
    {"aten::threshold_backward", thresholdGradient},
    {"aten::leaky_relu_backward", leakyReluGradient},
    {"aten::hardtanh_backward", hardTanhGradient},
    {"aten::silu_backward", siluGradient},
    {"aten::gelu_backward", geluGradient},
    {"aten::_softmax_backward_data", softmaxGradient<false>},
    {"aten::_log_softmax_backward_data", softmaxGradient<true>},
    {"aten::native_layer_norm_backward", layerNormGradient},
};

}  // namespace

std::span<const NamedRule> gradientRules() { return kGradientRules; }

}  // namespace jitscope::compiler
