#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>

#include "compiler/loops/lowering.h"

namespace jitscope::compiler {

/// In which type the operands of a pointwise operator meet.
enum class OperandType : uint8_t {
  kResult,    ///< the result's compute type; numbers keep what a 16-bit type would round off
  kRounded,   ///< the result's type, to which operands of other types are rounded
  kPromoted,  ///< the operands' common type, to which they are rounded, as for comparisons
  kOwn,       ///< each its own; numbers the result's
  kBool,      ///< whether it is not zero
};

struct PointwiseForm {
  OperandType operands = OperandType::kResult;
  int64_t operations = 1;
  bool isExpensive = false;
};

using Combine = std::function<ScalarId(Body&, std::span<const ScalarId>)>;

/// Lowers an operator that works element by element: `combine` gets the scalars of the arguments
/// `names` (tensors or numbers, broadcast) and gives the result, which is then cast to the result's
/// type. False when an argument is missing or is of a kind without loops.
bool lowerPointwise(NodeLowering& node, std::initializer_list<std::string_view> names,
                    const PointwiseForm& form, Combine combine);

/// The type in which torch computes on these arguments together.
std::optional<ElementType> commonType(NodeLowering& node,
                                      std::initializer_list<std::string_view> names);

/// The scalar of `tensor` at `at`, coordinates of a tensor that it is broadcast to.
ScalarId loadBroadcast(PointBuilder& point, const LoweredRef& tensor, std::span<const Index> at);

/// A value of a tensor of type `from` as a tensor of type `to` would hold it.
ScalarId converted(Body& body, ScalarId value, ElementType from, ElementType to);

/// A number as a tensor of `type` would hold it.
ScalarId scalarOf(Body& body, const NumberArgument& number, ElementType type);

}  // namespace jitscope::compiler
