#pragma once

#include "compiler/backend.h"

namespace jitscope::compiler {

/// A backend that compiles ahead of time, as AOTAutograd does: of a captured graph it makes a
/// functional one of operators below autograd, and where something requires gradient one more for
/// the backward pass, and has `inner` compile each of them. What the captured graph does to its
/// inputs, and how its results share memory, is done around them.
///
/// A graph that cannot be compiled so runs as with backend "eager", and JITSCOPE_LOGS=aot_graphs
/// and the recording say why. The graphs that `inner` gets write to none of their inputs; they are
/// compiled once for each combination of symbols' values, aliasing of the inputs, and modes that
/// calls bring.
///
/// As in AOTAutograd, such a function cannot be differentiated twice, and a hook that is registered
/// after the call on a tensor that no gradient comes for is called with zeros, which eagerly it
/// is not. Sets TORCH_DISABLE_FUNCTIONALIZATION_META_REFERENCE in the environment when it first
/// compiles, unless it is set.
Backend aheadOfTime(Backend inner);

}  // namespace jitscope::compiler
