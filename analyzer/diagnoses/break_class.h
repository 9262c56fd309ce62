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
  kFrameSkip,  ///< not one place but the whole function runs eagerly
  kExtension,  ///< C or C++ code that the compiler knows nothing of
  kBuiltin,    ///< a function of the language that it does not trace
  kContext,    ///< a context manager that it does not trace
  kOther,
};

/// The class as reports spell it: "scalar_read", "control_flow", …
std::string_view name(BreakClass breakClass);

/// The class of a break by its reason (in Dynamo's words), the operator or function that broke and
/// the explanation, which may be empty.
BreakClass breakClass(std::string_view reason, std::string_view op,
                      std::string_view explanation = {});

/// What the break is, in a few words, for programs in C++ and in Python.
std::string_view breakTitle(BreakClass breakClass);
std::string_view pythonBreakTitle(BreakClass breakClass);

/// What to write instead in C++.
std::string_view breakFix(BreakClass breakClass);

/// What to write instead in Python; empty where only the compiler's own hint is known.
std::string_view pythonBreakFix(BreakClass breakClass);

}  // namespace jitscope::analyzer
