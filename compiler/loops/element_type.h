#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// The element types that loop nests compute with, in the order of their width and kind.
enum class ElementType : uint8_t {
  kBool,
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
};

/// The element type of a tensor; none for types that loop nests do not know.
std::optional<ElementType> elementTypeOf(DataType type);
DataType dataTypeOf(ElementType type);

std::string_view elementTypeName(ElementType type);  ///< "float32", as in torch
int64_t sizeBytes(ElementType type);
bool isFloating(ElementType type);
inline bool isInteger(ElementType type) {
  return type >= ElementType::kUInt8 && type <= ElementType::kInt64;
}
/// Stored in 16 bits, computed in 32.
inline bool isHalf(ElementType type) {
  return type == ElementType::kFloat16 || type == ElementType::kBFloat16;
}

/// The type that values of `type` have in registers: float32 for the 16-bit ones.
ElementType computeType(ElementType type);

/// The number that a tensor of `type` holds when it is given `value`: wrapped to the bits of an
/// integer type, rounded to a floating one.
int64_t held(int64_t value, ElementType type);
double held(double value, ElementType type);

/// The type of an operation on tensors of both types, as torch promotes.
ElementType promoted(ElementType left, ElementType right);

}  // namespace jitscope::compiler
