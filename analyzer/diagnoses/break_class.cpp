#include "analyzer/diagnoses/break_class.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace jitscope::analyzer {
namespace {

/// Everything that is said about a class.
struct ClassText {
  BreakClass breakClass;
  std::string_view name, title, fix;
};

constexpr std::array kClassTexts{
    ClassText{
        BreakClass::kScalarRead, "scalar_read", "a tensor's value is read into a C++ number",
        "keep the value in a tensor: choose with torch::where(condition, a, b) instead of an if, "
        "or return the tensor and call item() outside of the compiled function"},
    ClassText{
        BreakClass::kControlFlow, "control_flow", "control flow depends on a tensor's value",
        "compute both sides and choose with torch::where(condition, a, b), or take the decision "
        "before the compiled function is called"},
    ClassText{
        BreakClass::kDynamicShape, "dynamic_shape", "the shape of a result depends on values",
        "keep the full shape and a mask (torch::where, masked_fill, a multiplication by the mask) "
        "instead of selecting elements, or select outside of the compiled function"},
    ClassText{
        BreakClass::kPrint, "print", "something is printed",
        "print outside of the compiled function, or leave jitscope::print out of the hot path"},
    ClassText{BreakClass::kExplicit, "explicit", "the code asks for it",
              "take jitscope::graphBreak() out if the split is not wanted"},
    ClassText{
        BreakClass::kUntraceableOperator, "untraceable_operator",
        "an operator cannot be part of a graph",
        "register the operator with a schema that names what it writes, and take its "
        "jitscope::declareUntraceable away; or call it before or after the compiled function"},
    ClassText{BreakClass::kDisabledCallable, "disabled_callable",
              "a callable is marked as not compiled",
              "take jitscope::disable off the callable, or call it before or after the compiled "
              "function"},
    ClassText{BreakClass::kRawAccess, "raw_access", "a tensor's memory is accessed directly",
              "replace data_ptr() and accessor() loops by tensor operators, or put the loop into a "
              "custom "
              "operator"},
    ClassText{
        BreakClass::kMetadataMutation, "metadata_mutation",
        "a tensor's shape or storage is changed in place",
        "make a new tensor (reshape, clone, an operator without out=) instead of resize_ or set_"},
    ClassText{BreakClass::kAutogradState, "autograd_state", "autograd is used inside of the graph",
              "call backward(), register hooks and retain_grad() outside of the compiled function"},
    ClassText{BreakClass::kDivergence, "divergence",
              "user code issues different operators from call to call here",
              "make the choice a tensor operation (torch::where), or pass what decides it as an "
              "argument so that it is guarded"},
    ClassText{BreakClass::kOther, "other", "the compiler could not go on",
              "see the reason; JITSCOPE_LOGS=\"graph_breaks\" prints it with its stack"},
};

const ClassText& textOf(BreakClass breakClass) {
  for (const ClassText& each : kClassTexts) {
    if (each.breakClass == breakClass) return each;
  }
  return kClassTexts.back();
}

struct ClassWords {
  std::string_view words;  ///< in lower case
  BreakClass breakClass;
};

/// Operators that break, without namespace and overload.
constexpr std::array kOperators{
    ClassWords{"_local_scalar_dense", BreakClass::kScalarRead},
    ClassWords{"item", BreakClass::kScalarRead},
    ClassWords{"is_nonzero", BreakClass::kControlFlow},
    ClassWords{"equal", BreakClass::kControlFlow},
    ClassWords{"allclose", BreakClass::kControlFlow},
    ClassWords{"nonzero", BreakClass::kDynamicShape},
    ClassWords{"masked_select", BreakClass::kDynamicShape},
    ClassWords{"resize_", BreakClass::kMetadataMutation},
    ClassWords{"set_", BreakClass::kMetadataMutation},
};

/// Words of reasons. The first that occurs decides, so that the special stands before the general.
constexpr std::array kReasons{
    ClassWords{"diverged", BreakClass::kDivergence},
    ClassWords{"graph_break()", BreakClass::kExplicit},
    ClassWords{"graphbreak", BreakClass::kExplicit},
    ClassWords{"user-inserted", BreakClass::kExplicit},
    ClassWords{"print", BreakClass::kPrint},
    ClassWords{"disable", BreakClass::kDisabledCallable},
    ClassWords{"dynamic shape", BreakClass::kDynamicShape},
    ClassWords{"data-dependent shape", BreakClass::kDynamicShape},
    ClassWords{"dynamic output shape", BreakClass::kDynamicShape},
    ClassWords{"data-dependent branching", BreakClass::kControlFlow},
    ClassWords{"data dependent branching", BreakClass::kControlFlow},
    ClassWords{"control flow", BreakClass::kControlFlow},
    ClassWords{"data dependent operator", BreakClass::kControlFlow},
    ClassWords{"tensor.item()", BreakClass::kScalarRead},
    ClassWords{"scalar", BreakClass::kScalarRead},
    ClassWords{"data_ptr", BreakClass::kRawAccess},
    ClassWords{"raw", BreakClass::kRawAccess},
    ClassWords{"storage", BreakClass::kRawAccess},
    ClassWords{"metadata", BreakClass::kMetadataMutation},
    ClassWords{"resize", BreakClass::kMetadataMutation},
    ClassWords{"backward", BreakClass::kAutogradState},
    ClassWords{"hook", BreakClass::kAutogradState},
    ClassWords{"retain_grad", BreakClass::kAutogradState},
    ClassWords{"autograd", BreakClass::kAutogradState},
    ClassWords{"data-dependent", BreakClass::kScalarRead},
    ClassWords{"data dependent", BreakClass::kScalarRead},
    ClassWords{"unsupported tensor.", BreakClass::kMetadataMutation},
    ClassWords{"untraceable", BreakClass::kUntraceableOperator},
    ClassWords{"operator", BreakClass::kUntraceableOperator},
};

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// "aten::equal.Tensor" → "equal".
std::string_view bareName(std::string_view op) {
  if (const size_t colon = op.rfind(':'); colon != std::string_view::npos)
    op = op.substr(colon + 1);
  return op.substr(0, op.find('.'));
}

}  // namespace

std::string_view name(BreakClass breakClass) { return textOf(breakClass).name; }
std::string_view breakTitle(BreakClass breakClass) { return textOf(breakClass).title; }
std::string_view breakFix(BreakClass breakClass) { return textOf(breakClass).fix; }

BreakClass breakClass(std::string_view reason, std::string_view op) {
  if (op.starts_with("aten::")) {
    for (const ClassWords& each : kOperators) {
      if (each.words == bareName(op)) return each.breakClass;
    }
    if (bareName(op).find("unique") != std::string_view::npos) return BreakClass::kDynamicShape;
  }
  const std::string words = lowered(reason);
  for (const ClassWords& each : kReasons) {
    if (words.find(each.words) != std::string::npos) return each.breakClass;
  }
  return op.empty() ? BreakClass::kOther : BreakClass::kUntraceableOperator;
}

}  // namespace jitscope::analyzer
