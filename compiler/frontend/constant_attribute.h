#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// A constant argument as a graph holds it. The schema's argument says what an integer means (a
/// dtype, a layout). Constants without a value of their own become OpaqueConstant.
Attribute attributeOf(const c10::IValue& constant, const c10::Argument& argument);

}  // namespace jitscope::compiler
