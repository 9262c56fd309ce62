#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// Why a graph broke, in classes that have a fix each.
enum class BreakClass {
  kScalarRead,
  kControlFlow,
  kDynamicShape,
  kPrint,
  kExplicit,
  kUntraceableOperator,
  kDisabledCallable,
  kRawAccess,
  kMetadataMutation,
  kAutogradState,
  kDivergence,
  kOther,
};

/// The class as reports spell it: "scalar_read", "control_flow", …
std::string_view name(BreakClass breakClass);

/// The class of a break by its reason (in Dynamo's words) and the operator that broke, which may be
/// empty.
BreakClass breakClass(std::string_view reason, std::string_view op);

/// What the break is, in a few words.
std::string_view breakTitle(BreakClass breakClass);

/// What to write instead.
std::string_view breakFix(BreakClass breakClass);

}  // namespace jitscope::analyzer
