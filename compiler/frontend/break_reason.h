#pragma once

#include <string>
#include <string_view>

#include "compiler/errors.h"

namespace jitscope::compiler {

/// The reason for breaking at an operator that reads a tensor's value, has a shape that depends on
/// data, or is declared untraceable. `name` is the qualified operator name, e.g.
/// "aten::_local_scalar_dense".
BreakReason reasonOfOperator(std::string_view name, bool readsData, bool hasDynamicShape);

BreakReason reasonOfExplicitBreak(std::string_view message);  ///< jitscope::graphBreak(message)
BreakReason reasonOfPrint();                                  ///< jitscope::print
BreakReason reasonOfDisabledCallable(std::string_view name);  ///< a callable marked by disable
BreakReason reasonOfRawAccess();                              ///< data_ptr, accessor, storage
BreakReason reasonOfMetadataMutation(std::string_view name);  ///< resize_, set_, out= that resizes
BreakReason reasonOfAutogradState(std::string_view what);  ///< backward inside, hooks, retain_grad
BreakReason reasonOfDivergence(std::string_view text);     ///< a learned soft break

/// Declares the operator of this qualified name ("my::op") untraceable: graphs break there.
void declareUntraceable(std::string name);
bool isDeclaredUntraceable(std::string_view name);

}  // namespace jitscope::compiler
