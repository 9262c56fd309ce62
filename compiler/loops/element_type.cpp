#include "compiler/loops/element_type.h"

#include <algorithm>
#include <array>

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

ElementType promoted(ElementType left, ElementType right) {
  if (left == right) return left;
  const auto [low, high] = std::minmax(left, right);
  if (low == ElementType::kFloat16 && high == ElementType::kBFloat16) return ElementType::kFloat32;
  // No 8-bit type holds all of both.
  if (low == ElementType::kUInt8 && high == ElementType::kInt8) return ElementType::kInt16;
  return high;
}

}  // namespace jitscope::compiler
