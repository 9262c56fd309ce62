#include "compiler/loops/element_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jitscope::compiler {
namespace {

struct TypeFacts {
  std::string_view name;
  int8_t scalarType;  ///< the number of c10::ScalarType
  int8_t bytes;
};

// In the order of ElementType.
constexpr std::array<TypeFacts, 10> kFacts{{
    {"bool", 11, 1},
    {"uint8", 0, 1},
    {"int8", 1, 1},
    {"int16", 2, 2},
    {"int32", 3, 4},
    {"int64", 4, 8},
    {"float16", 5, 2},
    {"bfloat16", 15, 2},
    {"float32", 6, 4},
    {"float64", 7, 8},
}};

/// The nearest number, ties to even, with `digits` binary digits, fewer below 2^`least`; infinity
/// from 2^`end` on.
double rounded(double value, int digits, int least, int end) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), least) - digits + 1;
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
  if (std::abs(nearest) < std::ldexp(1.0, end)) return nearest;
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

const TypeFacts& factsOf(ElementType type) { return kFacts[static_cast<size_t>(type)]; }

}  // namespace

std::optional<ElementType> elementTypeOf(DataType type) {
  for (size_t i = 0; i < kFacts.size(); ++i) {
    if (kFacts[i].scalarType == static_cast<int8_t>(type)) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

DataType dataTypeOf(ElementType type) { return static_cast<DataType>(factsOf(type).scalarType); }
std::string_view elementTypeName(ElementType type) { return factsOf(type).name; }
int64_t sizeBytes(ElementType type) { return factsOf(type).bytes; }
bool isFloating(ElementType type) { return type >= ElementType::kFloat16; }

ElementType computeType(ElementType type) { return isHalf(type) ? ElementType::kFloat32 : type; }

int64_t held(int64_t value, ElementType type) {
  switch (type) {
    case ElementType::kBool:
      return value != 0;
    case ElementType::kUInt8:
      return static_cast<uint8_t>(value);
    case ElementType::kInt8:
      return static_cast<int8_t>(value);
    case ElementType::kInt16:
      return static_cast<int16_t>(value);
    case ElementType::kInt32:
      return static_cast<int32_t>(value);
    default:
      return value;
  }
}

double held(double value, ElementType type) {
  if (type == ElementType::kFloat64) return value;
  const double single = rounded(value, 24, -126, 128);
  // By way of float, as torch does it.
  if (type == ElementType::kFloat16) return rounded(single, 11, -14, 16);
  if (type == ElementType::kBFloat16) return rounded(single, 8, -126, 128);
  return single;
}

ElementType promoted(ElementType left, ElementType right) {
  if (left == right) return left;
  const auto [low, high] = std::minmax(left, right);
  if (low == ElementType::kFloat16 && high == ElementType::kBFloat16) return ElementType::kFloat32;
  // No 8-bit type holds all of both.
  if (low == ElementType::kUInt8 && high == ElementType::kInt8) return ElementType::kInt16;
  return high;
}

}  // namespace jitscope::compiler
