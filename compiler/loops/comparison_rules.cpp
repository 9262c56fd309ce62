#include <limits>

#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/pointwise.h"

namespace jitscope::compiler {
namespace {

using Scalars = std::span<const ScalarId>;

/// `kIsSwapped` makes greater of less.
template <ScalarOp kOp, bool kIsSwapped>
bool compare(NodeLowering& node) {
  return lowerPointwise(node, {"self", "other"}, {OperandType::kPromoted, 1, false},
                        [](Body& body, Scalars x) {
                          return body.compare(kOp, x[kIsSwapped ? 1 : 0], x[kIsSwapped ? 0 : 1]);
                        });
}

template <ScalarOp kOp>
bool logical(NodeLowering& node) {
  return lowerPointwise(node, {"self", "other"}, {OperandType::kBool, 1, false},
                        [](Body& body, Scalars x) { return body.binary(kOp, x[0], x[1]); });
}

bool logicalNot(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {OperandType::kBool, 1, false},
                        [](Body& body, Scalars x) { return body.unary(ScalarOp::kNot, x[0]); });
}

template <ScalarOp kOp>
bool bitwise(NodeLowering& node) {
  return lowerPointwise(node, {"self", "other"}, {},
                        [](Body& body, Scalars x) { return body.binary(kOp, x[0], x[1]); });
}

bool bitwiseNot(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {},
                        [](Body& body, Scalars x) { return body.unary(ScalarOp::kNot, x[0]); });
}

template <ScalarOp kOp>
bool classify(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {OperandType::kOwn, 1, false}, [](Body& body, Scalars x) {
    if (!isFloating(body[x[0]].type)) return body.integer(0, ElementType::kBool);
    return body.unary(kOp, x[0]);
  });
}

bool isFinite(NodeLowering& node) {
  return lowerPointwise(node, {"self"}, {OperandType::kOwn, 2, false}, [](Body& body, Scalars x) {
    if (!isFloating(body[x[0]].type)) return body.integer(1, ElementType::kBool);
    // Neither NaN nor infinite: less than infinity in size.
    return body.compare(ScalarOp::kLess, body.unary(ScalarOp::kAbs, x[0]),
                        body.real(std::numeric_limits<double>::infinity(), body[x[0]].type));
  });
}

/// How the values of argument `name`, a tensor or a number, become those of the result.
std::function<ScalarId(Body&, ScalarId)> chosen(NodeLowering& node, std::string_view name) {
  const ElementType result = node.resultElement();
  const LoweredRef tensor = node.tensor(name);
  return [from = tensor ? tensor->type : result, result](Body& body, ScalarId value) {
    return converted(body, value, from, result);
  };
}

bool where(NodeLowering& node) {
  if (!node.arguments.has("other"))
    return false;  // where(condition) alone has as many rows as true
  return lowerPointwise(
      node, {"condition", "self", "other"}, {OperandType::kOwn, 1, false},
      [self = chosen(node, "self"), other = chosen(node, "other")](Body& body, Scalars x) {
        const ScalarId condition =
            body.compare(ScalarOp::kNotEqual, x[0], body.integer(0, body[x[0]].type));
        const bool isBool = body[x[0]].type == ElementType::kBool;
        return body.select(isBool ? x[0] : condition, self(body, x[1]), other(body, x[2]));
      });
}

bool maskedFill(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  // What a bigger mask would make of it is no element-wise matter.
  if (!self || self->sizes.size() != node.resultSizes().size()) return false;
  return lowerPointwise(node, {"mask", "value", "self"}, {OperandType::kOwn, 1, false},
                        [value = chosen(node, "value")](Body& body, Scalars x) {
                          return body.select(x[0], value(body, x[1]), x[2]);
                        });
}

bool replaceNan(NodeLowering& node) {
  const ElementType type = node.resultElement();
  if (!isFloating(type) || isHalf(type)) return false;
  const bool isDouble = type == ElementType::kFloat64;
  const double most = isDouble ? std::numeric_limits<double>::max()
                               : static_cast<double>(std::numeric_limits<float>::max());
  const double nan = node.arguments.real("nan", 0);
  const double high = node.arguments.real("posinf", most);
  const double low = node.arguments.real("neginf", -most);
  return lowerPointwise(
      node, {"self"}, {OperandType::kResult, 4, false}, [=](Body& body, Scalars x) {
        const double infinity = std::numeric_limits<double>::infinity();
        const auto is = [&](double value) {
          return body.compare(ScalarOp::kEqual, x[0], body.real(value, type));
        };
        const ScalarId above = body.select(is(infinity), body.real(high, type), x[0]);
        const ScalarId both = body.select(is(-infinity), body.real(low, type), above);
        return body.select(body.unary(ScalarOp::kIsNan, x[0]), body.real(nan, type), both);
      });
}

constexpr NamedRule kComparisonRules[]{
    {"aten::eq", compare<ScalarOp::kEqual, false>},
    {"aten::ne", compare<ScalarOp::kNotEqual, false>},
    {"aten::not_equal", compare<ScalarOp::kNotEqual, false>},
    {"aten::lt", compare<ScalarOp::kLess, false>},
    {"aten::less", compare<ScalarOp::kLess, false>},
    {"aten::le", compare<ScalarOp::kLessEqual, false>},
    {"aten::less_equal", compare<ScalarOp::kLessEqual, false>},
    {"aten::gt", compare<ScalarOp::kLess, true>},
    {"aten::greater", compare<ScalarOp::kLess, true>},
    {"aten::ge", compare<ScalarOp::kLessEqual, true>},
    {"aten::greater_equal", compare<ScalarOp::kLessEqual, true>},
    {"aten::logical_and", logical<ScalarOp::kAnd>},
    {"aten::logical_or", logical<ScalarOp::kOr>},
    {"aten::logical_xor", logical<ScalarOp::kXor>},
    {"aten::logical_not", logicalNot},
    {"aten::bitwise_and", bitwise<ScalarOp::kAnd>},
    {"aten::bitwise_or", bitwise<ScalarOp::kOr>},
    {"aten::bitwise_xor", bitwise<ScalarOp::kXor>},
    {"aten::bitwise_not", bitwiseNot},
    {"aten::__and__", bitwise<ScalarOp::kAnd>},
    {"aten::__or__", bitwise<ScalarOp::kOr>},
    {"aten::isnan", classify<ScalarOp::kIsNan>},
    {"aten::isinf", classify<ScalarOp::kIsInfinite>},
    {"aten::isfinite", isFinite},
    {"aten::where", where},
    {"aten::masked_fill", maskedFill},
    {"aten::nan_to_num", replaceNan},
};

}  // namespace

std::span<const NamedRule> comparisonRules() { return kComparisonRules; }

}  // namespace jitscope::compiler
