#include <numbers>

#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/pointwise.h"
#include "compiler/loops/scalar_math.h"

namespace jitscope::compiler {
namespace {

using Scalars = std::span<const ScalarId>;

/// Lowers f(self) for floating tensors. `function` has the arithmetic and the argument.
bool activation(NodeLowering& node, int64_t operations, bool isExpensive,
                std::function<ScalarId(const ScalarMath&, ScalarId)> function) {
  if (!isFloating(node.resultElement())) return false;
  const ElementType type = computeType(node.resultElement());
  return lowerPointwise(node, {"self"}, {OperandType::kResult, operations, isExpensive},
                        [type, function = std::move(function)](Body& body, Scalars x) {
                          return function(ScalarMath(body, type), x[0]);
                        });
}

bool relu(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {}, [](Body& body, Scalars x) {
    return body.binary(ScalarOp::kMaximum, x[0], body.integer(0, body[x[0]].type));
  });
}

bool relu6(NodeLowering& node) {
  return activation(node, 2, false, [](const ScalarMath& m, ScalarId x) {
    return m.minimum(m.maximum(x, m.number(0)), m.number(6));
  });
}

bool hardTanh(NodeLowering& node) {
  // Limits are results, so they have no more digits than those.
  const ElementType type = node.resultElement();
  const double least = held(node.arguments.real("min_val", -1), type);
  const double most = held(node.arguments.real("max_val", 1), type);
  return activation(node, 2, false, [=](const ScalarMath& m, ScalarId x) {
    return m.minimum(m.maximum(x, m.number(least)), m.number(most));
  });
}

/// clamp(x + 3, 0, 6), which the hard functions share.
ScalarId hardRamp(const ScalarMath& m, ScalarId x) {
  return m.minimum(m.maximum(m.add(x, m.number(3)), m.number(0)), m.number(6));
}

bool hardSigmoid(NodeLowering& node) {
  return activation(node, 4, false, [](const ScalarMath& m, ScalarId x) {
    return m.divide(hardRamp(m, x), m.number(6));
  });
}

bool hardSwish(NodeLowering& node) {
  return activation(node, 5, false, [](const ScalarMath& m, ScalarId x) {
    return m.divide(m.multiply(x, hardRamp(m, x)), m.number(6));
  });
}

bool silu(NodeLowering& node) {
  return activation(node, 4, true, [](const ScalarMath& m, ScalarId x) {
    return m.multiply(x, m.apply(ScalarOp::kSigmoid, x));
  });
}

bool gelu(NodeLowering& node) {
  const bool isTanh = node.arguments.text("approximate", "none") == "tanh";
  return activation(node, 8, true, [isTanh](const ScalarMath& m, ScalarId x) {
    const ScalarId half = m.multiply(x, m.number(0.5));
    if (!isTanh) {
      const ScalarId scaled = m.multiply(x, m.number(std::numbers::sqrt2 / 2));
      return m.multiply(half, m.add(m.number(1), m.apply(ScalarOp::kErf, scaled)));
    }
    const ScalarId cube = m.multiply(m.multiply(x, x), x);
    const ScalarId inner = m.multiply(m.number(std::numbers::sqrt2 * std::numbers::inv_sqrtpi),
                                      m.add(x, m.multiply(m.number(0.044715), cube)));
    return m.multiply(half, m.add(m.number(1), m.apply(ScalarOp::kTanh, inner)));
  });
}

/// log(1 + exp(x)), linear beyond `threshold`.
ScalarId softplus(const ScalarMath& m, ScalarId x, double beta, double threshold) {
  const ScalarId scaled = m.multiply(x, m.number(beta));
  const ScalarId curve =
      m.divide(m.apply(ScalarOp::kLog1p, m.apply(ScalarOp::kExp, scaled)), m.number(beta));
  return m.body().select(m.less(m.number(threshold), scaled), x, curve);
}

bool softplusRule(NodeLowering& node) {
  const double beta = node.arguments.real("beta", 1);
  const double threshold = node.arguments.real("threshold", 20);
  return activation(node, 6, true, [=](const ScalarMath& m, ScalarId x) {
    return softplus(m, x, beta, threshold);
  });
}

bool mish(NodeLowering& node) {
  return activation(node, 9, true, [](const ScalarMath& m, ScalarId x) {
    const ScalarId curve = m.apply(ScalarOp::kLog1p, m.apply(ScalarOp::kExp, x));
    // exp overflows where the curve is x itself to the last digit.
    const ScalarId plus = m.body().select(m.less(m.number(20), x), x, curve);
    return m.multiply(x, m.apply(ScalarOp::kTanh, plus));
  });
}

bool logSigmoid(NodeLowering& node) {
  return activation(node, 6, true, [](const ScalarMath& m, ScalarId x) {
    const ScalarId size = m.apply(ScalarOp::kNegate, m.apply(ScalarOp::kAbs, x));
    const ScalarId tail = m.apply(ScalarOp::kLog1p, m.apply(ScalarOp::kExp, size));
    return m.subtract(m.minimum(x, m.number(0)), tail);
  });
}

bool leakyRelu(NodeLowering& node) {
  const double slope = node.arguments.real("negative_slope", 0.01);
  return activation(node, 2, false, [=](const ScalarMath& m, ScalarId x) {
    return m.body().select(m.less(m.number(0), x), x, m.multiply(x, m.number(slope)));
  });
}

/// The exponential units: `positive` * x above 0, `negative` * (exp(scale * x) - 1) below.
bool exponentialUnit(NodeLowering& node, double negative, double positive, double scale) {
  return activation(node, 5, true, [=](const ScalarMath& m, ScalarId x) {
    const ScalarId curve = m.apply(ScalarOp::kExpm1, m.multiply(x, m.number(scale)));
    return m.body().select(m.lessEqual(x, m.number(0)), m.multiply(curve, m.number(negative)),
                           m.multiply(x, m.number(positive)));
  });
}

bool elu(NodeLowering& node) {
  const double alpha = node.arguments.real("alpha", 1), scale = node.arguments.real("scale", 1);
  return exponentialUnit(node, alpha * scale, scale, node.arguments.real("input_scale", 1));
}

bool selu(NodeLowering& node) {
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  return exponentialUnit(node, kAlpha * kScale, kScale, 1);
}

bool celu(NodeLowering& node) {
  const double alpha = node.arguments.real("alpha", 1);
  return alpha != 0 && exponentialUnit(node, alpha, 1, 1 / alpha);
}

bool threshold(NodeLowering& node) {
  const double limit = node.arguments.real("threshold", 0);
  const double value = held(node.arguments.real("value", 0), node.resultElement());
  return activation(node, 2, false, [=](const ScalarMath& m, ScalarId x) {
    return m.body().select(m.lessEqual(x, m.number(limit)), m.number(value), x);
  });
}

/// The first half of a dimension times the sigmoid of the second.
bool glu(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || !isFloating(node.resultElement()) || self->sizes.empty()) return false;
  int64_t dim = node.arguments.integer("dim", -1);
  if (dim < 0) dim += static_cast<int64_t>(self->sizes.size());
  const Index half = node.resultSizes()[static_cast<size_t>(dim)];
  const ElementType type = node.resultElement();
  node.pointwise(
      0,
      [=](PointBuilder& point, std::span<const Index> at) {
        std::vector<Index> gate(at.begin(), at.end());
        gate[static_cast<size_t>(dim)] += half;
        const ScalarMath m(point.body(), computeType(type));
        return m.multiply(self->load(point, at),
                          m.apply(ScalarOp::kSigmoid, self->load(point, gate)));
      },
      std::vector{self, self}, 4, true);
  return true;
}

constexpr NamedRule kActivationRules[]{
    {"aten::relu", relu},
    {"aten::relu6", relu6},
    {"aten::hardtanh", hardTanh},
    {"aten::hardsigmoid", hardSigmoid},
    {"aten::hardswish", hardSwish},
    {"aten::silu", silu},
    {"aten::gelu", gelu},
    {"aten::softplus", softplusRule},
    {"aten::mish", mish},
    {"aten::log_sigmoid", logSigmoid},
    {"aten::leaky_relu", leakyRelu},
    {"aten::elu", elu},
    {"aten::selu", selu},
    {"aten::celu", celu},
    {"aten::threshold", threshold},
    {"aten::glu", glu},
};

}  // namespace

std::span<const NamedRule> activationRules() { return kActivationRules; }

}  // namespace jitscope::compiler
