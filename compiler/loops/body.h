#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/loops/element_type.h"
#include "compiler/loops/index.h"

/// \file
/// What a loop nest computes for one point of its loops: scalar operations without order.
namespace jitscope::compiler {

/// A piece of memory that loop nests read or write, by its place in a `LoopProgram`.
enum class BufferId : int32_t { kNone = -1 };
/// A reduction, by its place in a `LoopProgram`.
enum class ReductionId : int32_t {};

enum class ScalarOp : uint8_t {
  kConstant,  ///< `integer` or `real`
  kLoad,      ///< `buffer[index]`, cast to the compute type; with an operand, 0 where that is false
  kPosition,  ///< `index` as a number
  kReduced,   ///< the result of `reduction`
  kCast,
  kRound,  ///< to the 16-bit type `rounding` and back
  // one operand
  kNegate,
  kAbs,
  kSign,
  kSqrt,
  kRsqrt,
  kExp,
  kExp2,
  kExpm1,
  kLog,
  kLog2,
  kLog10,
  kLog1p,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kSinh,
  kCosh,
  kTanh,
  kErf,
  kErfc,
  kSigmoid,
  kFloor,
  kCeil,
  kNearest,  ///< to the nearest integer, ties to even
  kTruncate,
  kNot,  ///< of a bool, or of the bits of an integer
  kIsNan,
  kIsInfinite,
  // two operands
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFmod,       ///< sign of the dividend
  kRemainder,  ///< sign of the divisor
  kFloorDivide,
  kPower,
  kAtan2,
  kMaximum,  ///< NaN when one is
  kMinimum,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kAnd,  ///< of bools, or of the bits of integers
  kOr,
  kXor,
  // three operands
  kSelect,  ///< condition, where true, where false
};

std::string_view scalarOpName(ScalarOp op);
/// Whether the operation takes many instructions, so that doing it twice costs.
bool isExpensive(ScalarOp op);

/// One scalar operation.
struct Scalar {
  ScalarOp op = ScalarOp::kConstant;
  ElementType type = ElementType::kFloat32;  ///< of the result: a compute type
  std::vector<ScalarId> operands;
  Index index;                                   ///< kLoad, kPosition
  BufferId buffer = BufferId::kNone;             ///< kLoad
  ReductionId reduction{};                       ///< kReduced
  ElementType rounding = ElementType::kFloat32;  ///< kRound
  int64_t integer = 0;                           ///< kConstant of integer types and bool
  double real = 0;                               ///< kConstant of floating types

  std::strong_ordering operator<=>(const Scalar& other) const;
};

/// The scalar operations of a program. Equal ones are one: what two fused nests both compute is
/// computed once. Loop variables are counted per nest, so that nests with the same loops share.
class Body {
 public:
  ScalarId add(Scalar scalar);
  const Scalar& operator[](ScalarId id) const { return scalars_[static_cast<size_t>(id)]; }
  size_t size() const { return scalars_.size(); }

  /// Numbers as a tensor of `type` holds them: wrapped or rounded.
  ScalarId integer(int64_t value, ElementType type);
  ScalarId real(double value, ElementType type);
  ScalarId position(const Index& index);
  ScalarId load(BufferId buffer, const Index& index, ElementType stored,
                ScalarId condition = ScalarId::kNone);
  ScalarId reduced(ReductionId reduction, ElementType type);
  ScalarId cast(ScalarId value, ElementType type);
  /// The value as a tensor of `type` would hold it: casts, and rounds to 16-bit types.
  ScalarId stored(ScalarId value, ElementType type);
  ScalarId unary(ScalarOp op, ScalarId operand);
  ScalarId binary(ScalarOp op, ScalarId left, ScalarId right);
  /// left OP right as a bool.
  ScalarId compare(ScalarOp op, ScalarId left, ScalarId right);
  ScalarId select(ScalarId condition, ScalarId ifTrue, ScalarId ifFalse);

 private:
  std::vector<Scalar> scalars_;
  std::multimap<uint64_t, ScalarId> known_;  ///< by a hash of the scalar
};

}  // namespace jitscope::compiler
