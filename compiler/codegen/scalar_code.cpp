#include "compiler/codegen/scalar_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jitscope::compiler {
namespace {

struct TypeNames {
  std::string_view inRegister, inMemory;
};

// In the order of ElementType.
constexpr std::array<TypeNames, 10> kTypes{{
    {"bool", "unsigned char"},
    {"unsigned char", "unsigned char"},
    {"signed char", "signed char"},
    {"short", "short"},
    {"int", "int"},
    {"long long", "long long"},
    {"float", "f16_t"},
    {"float", "bf16_t"},
    {"float", "float"},
    {"double", "double"},
}};

/// The function of the prelude that does it, for float and double under one name.
std::string_view functionOf(ScalarOp op) {
  switch (op) {
    case ScalarOp::kAbs:
      return "f_abs";
    case ScalarOp::kNearest:
      return "f_nearest";
    case ScalarOp::kTruncate:
      return "f_trunc";
    case ScalarOp::kMaximum:
      return "f_max";
    case ScalarOp::kMinimum:
      return "f_min";
    case ScalarOp::kFloorDivide:
      return "f_floor_divide";
    default:
      return {};
  }
}

std::string_view infix(ScalarOp op) {
  switch (op) {
    case ScalarOp::kAdd:
      return "+";
    case ScalarOp::kSubtract:
      return "-";
    case ScalarOp::kMultiply:
      return "*";
    case ScalarOp::kDivide:
      return "/";
    case ScalarOp::kEqual:
      return "==";
    case ScalarOp::kNotEqual:
      return "!=";
    case ScalarOp::kLess:
      return "<";
    case ScalarOp::kLessEqual:
      return "<=";
    case ScalarOp::kAnd:
      return "&";
    case ScalarOp::kOr:
      return "|";
    case ScalarOp::kXor:
      return "^";
    default:
      return {};
  }
}

bool isNarrow(ElementType type) {
  return type >= ElementType::kUInt8 && type <= ElementType::kInt16;
}

}  // namespace

std::string_view ScalarCode::typeName(ElementType type) {
  return kTypes[static_cast<size_t>(type)].inRegister;
}
std::string_view ScalarCode::storageName(ElementType type) {
  return kTypes[static_cast<size_t>(type)].inMemory;
}

std::string ScalarCode::literal(double value, ElementType type) {
  const bool isFloat = type == ElementType::kFloat32;
  if (std::isnan(value)) return isFloat ? "__builtin_nanf(\"\")" : "__builtin_nan(\"\")";
  if (std::isinf(value)) {
    return fmt::format("({}{})", value < 0 ? "-" : "",
                       isFloat ? "__builtin_inff()" : "__builtin_inf()");
  }
  // Rounded here once, as torch rounds a number that meets a float tensor.
  std::string text =
      isFloat ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text == "inf" || text == "-inf") return literal(static_cast<float>(value), type);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (isFloat) text += 'f';
  return std::signbit(value) ? "(" + text + ")" : text;
}

std::string ScalarCode::reference(ScalarId id) {
  const auto named = names.find(id);
  if (named != names.end()) return named->second;
  const Scalar& scalar = program_.body[id];
  if (scalar.op == ScalarOp::kConstant) return expression(id);
  if (scalar.op == ScalarOp::kReduced) {
    const auto known = reductions.find(scalar.reduction);
    if (known != reductions.end()) return known->second;
  }
  return fmt::format("v{}", static_cast<int>(id));
}

std::string ScalarCode::definition(ScalarId id) {
  const Scalar& scalar = program_.body[id];
  if (scalar.op == ScalarOp::kConstant || scalar.op == ScalarOp::kReduced) return {};
  return fmt::format("const {} v{} = {};", typeName(scalar.type), static_cast<int>(id),
                     expression(id));
}

std::string ScalarCode::index(const Index& index) {
  return index.text([&](const IndexAtom& atom) -> std::string {
    switch (atom.kind) {
      case IndexAtom::Kind::kLoop:
        return loops[static_cast<size_t>(atom.id)];
      case IndexAtom::Kind::kScalar:
        return reference(static_cast<ScalarId>(atom.id));
      default:
        return fmt::format("s{}", atom.id);
    }
  });
}

std::string ScalarCode::loaded(const std::string& place, ElementType type) {
  if (type == ElementType::kBool) return place + " != 0";
  if (!isHalf(type)) return place;
  const bool isBrain = type == ElementType::kBFloat16;
  need(isBrain ? "bf16" : "f16");
  return fmt::format("{}({})", isBrain ? "f32_of_bf16" : "f32_of_f16", place);
}

std::vector<std::string> ScalarCode::counters(const std::string& point,
                                              const std::vector<size_t>& loops,
                                              const std::vector<Index>& sizes,
                                              std::string_view type) {
  Index below(1);
  std::vector<std::string> lines;
  for (size_t i = loops.size(); i-- > 0;) {
    std::string text = below.is(1) ? point : fmt::format("{} / ({})", point, index(below));
    if (i > 0 && !below.is(1)) text = fmt::format("({})", text);
    if (i > 0) text += fmt::format(" % ({})", index(sizes[loops[i]]));
    lines.push_back(fmt::format("[[maybe_unused]] const {} i{} = {};", type, loops[i], text));
    below = below * sizes[loops[i]];
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

std::string ScalarCode::stored(ScalarId value, ElementType type) {
  std::string text = reference(value);
  if (!isHalf(type)) return text;
  const bool isBrain = type == ElementType::kBFloat16;
  need(isBrain ? "bf16" : "f16");
  return fmt::format("{}({})", isBrain ? "bf16_of_f32" : "f16_of_f32", text);
}

std::string ScalarCode::call(const std::string& function, const Scalar& scalar) {
  need(function);
  std::string text = function + "(";
  for (size_t i = 0; i < scalar.operands.size(); ++i) {
    text += (i > 0 ? ", " : "") + reference(scalar.operands[i]);
  }
  return text + ")";
}

std::string ScalarCode::expression(ScalarId id) {
  const Scalar& scalar = program_.body[id];
  switch (scalar.op) {
    case ScalarOp::kConstant:
      if (isFloating(scalar.type)) return literal(scalar.real, scalar.type);
      if (scalar.type == ElementType::kBool) return scalar.integer != 0 ? "true" : "false";
      if (scalar.integer == std::numeric_limits<int64_t>::min())
        return "(-9223372036854775807ll - 1)";
      return fmt::format("{}{}", scalar.integer, scalar.type == ElementType::kInt64 ? "ll" : "");
    case ScalarOp::kLoad: {
      const ElementType type = program_.buffer(scalar.buffer).type;
      const std::string place =
          fmt::format("{}[{}]", buffers.at(scalar.buffer), index(scalar.index));
      if (scalar.operands.empty()) return loaded(place, type);
      return fmt::format("{} ? {} : {}", reference(scalar.operands[0]), loaded(place, type),
                         isFloating(scalar.type) ? literal(0, scalar.type) : "0");
    }
    case ScalarOp::kPosition:
      return index(scalar.index);
    case ScalarOp::kReduced:
      return reference(id);
    case ScalarOp::kCast:
      return cast(scalar);
    case ScalarOp::kRound: {
      const bool isBrain = scalar.rounding == ElementType::kBFloat16;
      need(isBrain ? "bf16" : "f16");
      const char* type = isBrain ? "bf16" : "f16";
      return fmt::format("f32_of_{0}({0}_of_f32({1}))", type, reference(scalar.operands[0]));
    }
    case ScalarOp::kSelect:
      return fmt::format("{} ? {} : {}", reference(scalar.operands[0]),
                         reference(scalar.operands[1]), reference(scalar.operands[2]));
    default:
      return scalar.operands.size() == 1 ? unary(scalar) : binary(scalar);
  }
}

std::string ScalarCode::cast(const Scalar& scalar) {
  const std::string from = reference(scalar.operands[0]);
  if (scalar.type == ElementType::kBool) {
    return fmt::format("{} != 0", from);
  }
  // C++ leaves open what unsigned number a negative one becomes; it goes through a signed integer.
  const bool isWrapped =
      scalar.type == ElementType::kUInt8 && isFloating(program_.body[scalar.operands[0]].type);
  return fmt::format("({}){}{}", typeName(scalar.type), isWrapped ? "(long long)" : "", from);
}

std::string ScalarCode::unary(const Scalar& scalar) {
  const std::string x = reference(scalar.operands[0]);
  const ElementType type = program_.body[scalar.operands[0]].type;
  switch (scalar.op) {
    case ScalarOp::kNegate:
      return isNarrow(type) ? fmt::format("({})-{}", typeName(type), x) : "-" + x;
    case ScalarOp::kNot:
      if (type == ElementType::kBool) return "!" + x;
      return fmt::format("({})~{}", typeName(type), x);
    case ScalarOp::kSign:
      return fmt::format("({})(({} > 0) - ({} < 0))", typeName(type), x, x);
    case ScalarOp::kIsNan:
      return fmt::format("{} != {}", x, x);
    case ScalarOp::kIsInfinite:
      return call("f_abs", scalar) +
             " == " + literal(std::numeric_limits<double>::infinity(), type);
    case ScalarOp::kAbs:
      if (isFloating(type)) return call("f_abs", scalar);
      return fmt::format("({})({} < 0 ? -{} : {})", typeName(type), x, x, x);
    default: {
      const std::string_view own = functionOf(scalar.op);
      return call(own.empty() ? "f_" + std::string(scalarOpName(scalar.op)) : std::string(own),
                  scalar);
    }
  }
}

std::string ScalarCode::binary(const Scalar& scalar) {
  const std::string left = reference(scalar.operands[0]), right = reference(scalar.operands[1]);
  const ElementType type = program_.body[scalar.operands[0]].type;
  if (const std::string_view sign = infix(scalar.op); !sign.empty()) {
    const std::string text = fmt::format("{} {} {}", left, sign, right);
    return isNarrow(scalar.type) ? fmt::format("({})({})", typeName(scalar.type), text) : text;
  }
  const bool isExtremum = scalar.op == ScalarOp::kMaximum || scalar.op == ScalarOp::kMinimum;
  if (isExtremum && !isFloating(type)) {
    return fmt::format("{} {} {} ? {} : {}", left, scalar.op == ScalarOp::kMaximum ? ">" : "<",
                       right, left, right);
  }
  const std::string_view own = functionOf(scalar.op);
  return call(own.empty() ? "f_" + std::string(scalarOpName(scalar.op)) : std::string(own), scalar);
}

}  // namespace jitscope::compiler
