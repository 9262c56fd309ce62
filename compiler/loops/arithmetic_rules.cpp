#include <cmath>

#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/pointwise.h"

namespace jitscope::compiler {
namespace {

using Scalars = std::span<const ScalarId>;

/// An operator of one argument that gives floating numbers.
template <ScalarOp kOp>
bool unary(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {OperandType::kResult, 1, isExpensive(kOp)},
                        [](Body& body, Scalars x) { return body.unary(kOp, x[0]); });
}

/// The same for operators that leave integers as they are: floor, ceil, …
template <ScalarOp kOp>
bool rounding(NodeLowering& node) {
  if (!isFloating(node.resultElement()) || node.arguments.integer("decimals", 0) != 0) return false;
  return unary<kOp>(node);
}

/// An operator of two arguments, the second of which may be a number: torch rounds it to 16-bit
/// types for some, and computes with all its digits for others.
template <ScalarOp kOp, OperandType kOperands>
bool binary(NodeLowering& node) {
  return lowerPointwise(node, {"self", "other"}, {kOperands, 1, isExpensive(kOp)},
                        [](Body& body, Scalars x) { return body.binary(kOp, x[0], x[1]); });
}

/// The same for what only floating numbers have loops for.
template <ScalarOp kOp, OperandType kOperands>
bool floatingBinary(NodeLowering& node) {
  return isFloating(node.resultElement()) && binary<kOp, kOperands>(node);
}

ScalarId sum(Body& body, ScalarId left, ScalarId right) {
  const bool isBool = body[left].type == ElementType::kBool;
  return body.binary(isBool ? ScalarOp::kOr : ScalarOp::kAdd, left, right);
}

ScalarId product(Body& body, ScalarId left, ScalarId right) {
  const bool isBool = body[left].type == ElementType::kBool;
  return body.binary(isBool ? ScalarOp::kAnd : ScalarOp::kMultiply, left, right);
}

/// self + alpha * other, or self - alpha * other, or other - alpha * self.
template <bool kIsSubtraction, bool kIsReversed>
bool scaledSum(NodeLowering& node) {
  auto alpha = node.arguments.number("alpha");
  const bool isOne = !alpha || (alpha->kind != NumberArgument::Kind::kReal ? alpha->integer.is(1)
                                                                           : alpha->real == 1);
  const ElementType result = node.resultElement();
  if (kIsSubtraction && result == ElementType::kBool) return false;
  // torch rounds the numbers on processors alone.
  const bool isRounded = node.resultType().device.kind == 0;
  const ElementType factor = isRounded ? result : computeType(result);
  return lowerPointwise(node, {"self", "other"},
                        {isRounded ? OperandType::kRounded : OperandType::kResult, 2, false},
                        [alpha, isOne, factor](Body& body, Scalars x) {
                          const ScalarId first = x[kIsReversed ? 1 : 0];
                          ScalarId second = x[kIsReversed ? 0 : 1];
                          if (!isOne)
                            second = product(body, second, scalarOf(body, *alpha, factor));
                          return kIsSubtraction ? body.binary(ScalarOp::kSubtract, first, second)
                                                : sum(body, first, second);
                        });
}

bool multiply(NodeLowering& node) {
  return lowerPointwise(node, {"self", "other"}, {},
                        [](Body& body, Scalars x) { return product(body, x[0], x[1]); });
}

bool divide(NodeLowering& node) {
  const std::string_view mode = node.arguments.text("rounding_mode", "");
  if (!isFloating(node.resultElement())) return false;  // integers by zero are an error
  if (mode.empty()) return binary<ScalarOp::kDivide, OperandType::kResult>(node);
  if (mode == "floor") return binary<ScalarOp::kFloorDivide, OperandType::kResult>(node);
  return lowerPointwise(
      node, {"self", "other"}, {OperandType::kResult, 2, false}, [](Body& body, Scalars x) {
        return body.unary(ScalarOp::kTruncate, body.binary(ScalarOp::kDivide, x[0], x[1]));
      });
}

/// x to a power that multiplications make; kNone for other powers.
ScalarId smallPower(Body& body, ScalarId x, double exponent) {
  const ElementType type = body[x].type;
  const auto times = [&](ScalarId a, ScalarId b) { return product(body, a, b); };
  if (exponent == 1) return x;
  if (exponent == 2) return times(x, x);
  if (exponent == 3) return times(times(x, x), x);
  if (!isFloating(type)) return ScalarId::kNone;
  if (exponent == 0) return body.real(1, type);
  if (exponent == 0.5) return body.unary(ScalarOp::kSqrt, x);
  if (exponent == -0.5) return body.unary(ScalarOp::kRsqrt, x);
  const ScalarId one = body.real(1, type);
  if (exponent == -1) return body.binary(ScalarOp::kDivide, one, x);
  if (exponent == -2) return body.binary(ScalarOp::kDivide, one, times(x, x));
  return body.binary(ScalarOp::kPower, x, body.real(exponent, type));
}

bool power(NodeLowering& node) {
  const bool isFloat = isFloating(node.resultElement());
  if (node.arguments.has("exponent") && node.arguments.tensor("exponent") == ValueId::kNone &&
      node.arguments.tensor("self") != ValueId::kNone) {
    double exponent = node.arguments.real("exponent", 1);
    if (isFloat) exponent = held(exponent, node.resultElement());
    const bool isSmall = exponent == 1 || exponent == 2 || exponent == 3;
    if (!node.arguments.isUnderstood() || (!isFloat && !isSmall)) return false;
    return lowerPointwise(
        node, {"self"}, {OperandType::kResult, 2, exponent != 0.5 && std::abs(exponent) > 3},
        [exponent](Body& body, Scalars x) { return smallPower(body, x[0], exponent); });
  }
  if (!isFloat) return false;
  return lowerPointwise(
      node, {"self", "exponent"}, {OperandType::kRounded, 8, true},
      [](Body& body, Scalars x) { return body.binary(ScalarOp::kPower, x[0], x[1]); });
}

bool reciprocal(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {}, [](Body& body, Scalars x) {
    return body.binary(ScalarOp::kDivide, body.real(1, body[x[0]].type), x[0]);
  });
}

bool square(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {},
                        [](Body& body, Scalars x) { return product(body, x[0], x[0]); });
}

bool negate(NodeLowering& node) {
  return node.resultElement() != ElementType::kBool && unary<ScalarOp::kNegate>(node);
}

bool absolute(NodeLowering& node) {
  return node.resultElement() != ElementType::kBool && unary<ScalarOp::kAbs>(node);
}

bool signOf(NodeLowering& node) {
  return node.resultElement() != ElementType::kBool && unary<ScalarOp::kSign>(node);
}

/// self + value * tensor1 * tensor2, or with a quotient.
template <ScalarOp kOp>
bool scaledTerm(NodeLowering& node) {
  const auto value = node.arguments.number("value");
  if (!isFloating(node.resultElement())) return false;
  return lowerPointwise(node, {"self", "tensor1", "tensor2"}, {OperandType::kResult, 3, false},
                        [value](Body& body, Scalars x) {
                          ScalarId term = x[1];
                          if (value)
                            term = body.binary(ScalarOp::kMultiply,
                                               scalarOf(body, *value, body[x[0]].type), term);
                          return body.binary(ScalarOp::kAdd, x[0], body.binary(kOp, term, x[2]));
                        });
}

bool interpolate(NodeLowering& node) {
  if (!isFloating(node.resultElement())) return false;
  return lowerPointwise(
      node, {"self", "end", "weight"}, {OperandType::kResult, 5, false}, [](Body& body, Scalars x) {
        // From the nearer end, as torch does: exact at both.
        const ElementType type = body[x[0]].type;
        const ScalarId span = body.binary(ScalarOp::kSubtract, x[1], x[0]);
        const ScalarId size = body.unary(ScalarOp::kAbs, x[2]);
        const ScalarId fromStart =
            body.binary(ScalarOp::kAdd, x[0], body.binary(ScalarOp::kMultiply, x[2], span));
        const ScalarId rest = body.binary(ScalarOp::kSubtract, body.real(1, type), x[2]);
        const ScalarId fromEnd =
            body.binary(ScalarOp::kSubtract, x[1], body.binary(ScalarOp::kMultiply, span, rest));
        return body.select(body.compare(ScalarOp::kLess, size, body.real(0.5, type)), fromStart,
                           fromEnd);
      });
}

bool clamp(NodeLowering& node) {
  const bool hasLeast = node.arguments.has("min"), hasMost = node.arguments.has("max");
  const auto high = [](Body& body, ScalarId x, ScalarId limit) {
    return body.binary(ScalarOp::kMinimum, x, limit);
  };
  const auto low = [](Body& body, ScalarId x, ScalarId limit) {
    return body.binary(ScalarOp::kMaximum, x, limit);
  };
  const PointwiseForm form{OperandType::kRounded, 2, false};
  if (hasLeast && hasMost) {
    return lowerPointwise(node, {"self", "min", "max"}, form, [=](Body& body, Scalars x) {
      return high(body, low(body, x[0], x[1]), x[2]);
    });
  }
  if (hasLeast) {
    return lowerPointwise(node, {"self", "min"}, form,
                          [=](Body& body, Scalars x) { return low(body, x[0], x[1]); });
  }
  return hasMost && lowerPointwise(node, {"self", "max"}, form,
                                   [=](Body& body, Scalars x) { return high(body, x[0], x[1]); });
}

bool leastClamp(NodeLowering& node) {
  return lowerPointwise(node, {"self", "min"}, {OperandType::kRounded}, [](Body& body, Scalars x) {
    return body.binary(ScalarOp::kMaximum, x[0], x[1]);
  });
}

bool mostClamp(NodeLowering& node) {
  return lowerPointwise(node, {"self", "max"}, {OperandType::kRounded}, [](Body& body, Scalars x) {
    return body.binary(ScalarOp::kMinimum, x[0], x[1]);
  });
}

constexpr NamedRule kArithmeticRules[]{
    {"aten::add", scaledSum<false, false>},
    {"aten::sub", scaledSum<true, false>},
    {"aten::subtract", scaledSum<true, false>},
    {"aten::rsub", scaledSum<true, true>},
    {"aten::mul", multiply},
    {"aten::multiply", multiply},
    {"aten::div", divide},
    {"aten::divide", divide},
    {"aten::true_divide", divide},
    {"aten::floor_divide", floatingBinary<ScalarOp::kFloorDivide, OperandType::kResult>},
    {"aten::fmod", floatingBinary<ScalarOp::kFmod, OperandType::kRounded>},
    {"aten::remainder", floatingBinary<ScalarOp::kRemainder, OperandType::kRounded>},
    {"aten::pow", power},
    {"aten::square", square},
    {"aten::maximum", binary<ScalarOp::kMaximum, OperandType::kRounded>},
    {"aten::minimum", binary<ScalarOp::kMinimum, OperandType::kRounded>},
    {"aten::atan2", floatingBinary<ScalarOp::kAtan2, OperandType::kRounded>},
    {"aten::addcmul", scaledTerm<ScalarOp::kMultiply>},
    {"aten::addcdiv", scaledTerm<ScalarOp::kDivide>},
    {"aten::lerp", interpolate},
    {"aten::clamp", clamp},
    {"aten::clip", clamp},
    {"aten::clamp_min", leastClamp},
    {"aten::clamp_max", mostClamp},
    {"aten::neg", negate},
    {"aten::negative", negate},
    {"aten::abs", absolute},
    {"aten::sign", signOf},
    {"aten::reciprocal", reciprocal},
    {"aten::sqrt", unary<ScalarOp::kSqrt>},
    {"aten::rsqrt", unary<ScalarOp::kRsqrt>},
    {"aten::exp", unary<ScalarOp::kExp>},
    {"aten::exp2", unary<ScalarOp::kExp2>},
    {"aten::expm1", unary<ScalarOp::kExpm1>},
    {"aten::log", unary<ScalarOp::kLog>},
    {"aten::log2", unary<ScalarOp::kLog2>},
    {"aten::log10", unary<ScalarOp::kLog10>},
    {"aten::log1p", unary<ScalarOp::kLog1p>},
    {"aten::sin", unary<ScalarOp::kSin>},
    {"aten::cos", unary<ScalarOp::kCos>},
    {"aten::tan", unary<ScalarOp::kTan>},
    {"aten::asin", unary<ScalarOp::kAsin>},
    {"aten::acos", unary<ScalarOp::kAcos>},
    {"aten::atan", unary<ScalarOp::kAtan>},
    {"aten::sinh", unary<ScalarOp::kSinh>},
    {"aten::cosh", unary<ScalarOp::kCosh>},
    {"aten::tanh", unary<ScalarOp::kTanh>},
    {"aten::erf", unary<ScalarOp::kErf>},
    {"aten::erfc", unary<ScalarOp::kErfc>},
    {"aten::sigmoid", unary<ScalarOp::kSigmoid>},
    {"aten::floor", rounding<ScalarOp::kFloor>},
    {"aten::ceil", rounding<ScalarOp::kCeil>},
    {"aten::round", rounding<ScalarOp::kNearest>},
    {"aten::trunc", rounding<ScalarOp::kTruncate>},
};

}  // namespace

std::span<const NamedRule> arithmeticRules() { return kArithmeticRules; }

}  // namespace jitscope::compiler
