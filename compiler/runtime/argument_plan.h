#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// How one argument of one node is made at run time, decided once.
struct ArgumentPlan {
  enum class Kind : uint8_t {
    kConstant,         ///< `constant`
    kValue,            ///< tensor `value`
    kLastUse,          ///< tensor `value`, which nobody needs afterwards
    kTensors,          ///< list of `values`
    kOptionalTensors,  ///< list of `values`, absent ones None
    kSize,             ///< `sizes[0]`
    kSizes,            ///< list of `sizes`
    kReal,             ///< `sizes[0]` as a real number
  };

  Kind kind = Kind::kConstant;
  ValueId value = ValueId::kNone;
  c10::IValue constant;
  std::vector<ValueId> values;
  std::vector<SizeExpression> sizes;

  /// Puts the argument on the stack. Takes tensor `value` out of `tensors` at its last use.
  void push(std::span<at::Tensor> tensors, std::span<const int64_t> symbols,
            std::vector<c10::IValue>& stack) const;
};

/// Plans argument `argument` for parameter `parameter` of its operator. Throws c10::Error for an
/// OpaqueConstant and for what does not fit the parameter's type.
ArgumentPlan planArgument(const Argument& argument, const c10::Argument& parameter);

}  // namespace jitscope::compiler
