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
    ClassText{BreakClass::kFrameSkip, "frame_skip",
              "the whole function is skipped and runs eagerly, which is worse than a break",
              "move what breaks out of the loop, generator or with block around it, so that the "
              "rest of the function can be compiled"},
    ClassText{BreakClass::kExtension, "unregistered_extension",
              "C or C++ code is called that the compiler knows nothing of",
              "register the function as an operator with a schema"},
    ClassText{BreakClass::kBuiltin, "unsupported_builtin",
              "a function is called that cannot be traced",
              "call it before or after the compiled function"},
    ClassText{BreakClass::kContext, "unsupported_context",
              "a context is entered that cannot be traced",
              "enter the context around the compiled function, not in it"},
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
    ClassWords{"skipped frame", BreakClass::kFrameSkip},
    ClassWords{"diverged", BreakClass::kDivergence},
    ClassWords{"graph_break()", BreakClass::kExplicit},
    ClassWords{"graphbreak", BreakClass::kExplicit},
    ClassWords{"function graph_break", BreakClass::kExplicit},
    ClassWords{"user-inserted", BreakClass::kExplicit},
    ClassWords{"print", BreakClass::kPrint},
    ClassWords{"disable", BreakClass::kDisabledCallable},
    ClassWords{"dynamic shape", BreakClass::kDynamicShape},
    ClassWords{"data-dependent shape", BreakClass::kDynamicShape},
    ClassWords{"dynamic output shape", BreakClass::kDynamicShape},
    ClassWords{"data-dependent branching", BreakClass::kControlFlow},
    ClassWords{"data dependent branching", BreakClass::kControlFlow},
    ClassWords{"control flow", BreakClass::kControlFlow},
    ClassWords{"generic_jump", BreakClass::kControlFlow},
    ClassWords{"deepcopy", BreakClass::kBuiltin},
    ClassWords{"data dependent operator", BreakClass::kControlFlow},
    ClassWords{"tensor.item", BreakClass::kScalarRead},
    ClassWords{"tensor.tolist", BreakClass::kScalarRead},
    ClassWords{"tensor.numpy", BreakClass::kScalarRead},
    ClassWords{"dynamic slicing", BreakClass::kScalarRead},
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
    ClassWords{"context manager", BreakClass::kContext},
    ClassWords{"logging", BreakClass::kPrint},
    ClassWords{"reads a value", BreakClass::kScalarRead},
    ClassWords{"builtin", BreakClass::kBuiltin},
    ClassWords{"marked as skipped", BreakClass::kBuiltin},
    ClassWords{"skip function", BreakClass::kBuiltin},
    ClassWords{"operator", BreakClass::kUntraceableOperator},
};

/// Parts of the names of Python functions that break. They say more than the reason, which is the
/// same for all that the compiler does not trace.
constexpr std::array kPythonFunctions{
    ClassWords{"print", BreakClass::kPrint},
    ClassWords{"logging.", BreakClass::kPrint},
    ClassWords{"logger.", BreakClass::kPrint},
    ClassWords{"tensor.item", BreakClass::kScalarRead},
    ClassWords{"tensor.tolist", BreakClass::kScalarRead},
    ClassWords{"tensor.numpy", BreakClass::kScalarRead},
    ClassWords{"pycapsule", BreakClass::kExtension},
    ClassWords{"_simplecdata", BreakClass::kExtension},
    ClassWords{"ctypes", BreakClass::kExtension},
    ClassWords{"graph_break", BreakClass::kExplicit},
};

/// What to write instead in Python.
struct PythonFix {
  BreakClass breakClass;
  std::string_view fix;
};

constexpr std::array kPythonFixes{
    PythonFix{BreakClass::kScalarRead,
              "keep the value a tensor (return the sum as a tensor, choose with torch.where) and "
              "call .item() outside of the compiled function; "
              "torch._dynamo.config.capture_scalar_outputs = True is the second choice"},
    PythonFix{BreakClass::kControlFlow,
              "compute without a branch: torch.where, clamp, nan_to_num; torch.logical_or and "
              "torch.logical_and instead of Python's or and and; torch.cond only last"},
    PythonFix{BreakClass::kDynamicShape,
              "keep the full shape and a mask (torch.where, masked_fill) instead of selecting "
              "elements, or torch._dynamo.config.capture_dynamic_output_shape_ops = True"},
    PythonFix{BreakClass::kPrint,
              "move the print or logging call out of the compiled function, or add it to "
              "torch._dynamo.config.reorderable_logging_functions (print) or "
              "ignore_logger_methods (loggers)"},
    PythonFix{BreakClass::kExplicit,
              "take torch._dynamo.graph_break() out if the split is not wanted"},
    PythonFix{BreakClass::kUntraceableOperator,
              "register the operator with torch.library (custom_op and register_fake)"},
    PythonFix{
        BreakClass::kDisabledCallable,
        "take torch.compiler.disable off the callable, or call it before or after the compiled "
        "function"},
    PythonFix{BreakClass::kRawAccess,
              "wrap what takes data_ptr() into a custom operator (torch.library.custom_op with "
              "register_fake), or torch.compiler.disable the caller"},
    PythonFix{BreakClass::kMetadataMutation,
              "make a new tensor (reshape, clone) instead of resize_ or set_"},
    PythonFix{BreakClass::kAutogradState,
              "call backward(), register hooks and retain_grad() outside of the compiled function"},
    PythonFix{BreakClass::kFrameSkip,
              "move what breaks out of the loop, generator, with or try block around it, so that "
              "the rest of the function can be compiled"},
    PythonFix{
        BreakClass::kExtension,
        "wrap the function as a custom operator (torch.library.custom_op with "
        "register_fake) so that it becomes part of the graph; else torch.compiler.disable its "
        "caller so that the split is where you want it"},
    PythonFix{BreakClass::kBuiltin,
              "call it before or after the compiled function, or use what the compiler traces "
              "instead"},
    PythonFix{BreakClass::kContext, "enter the context around the compiled function, not in it"},
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

std::string_view pythonBreakTitle(BreakClass breakClass) {
  if (breakClass == BreakClass::kScalarRead) return "a tensor's value is read into a Python number";
  return breakTitle(breakClass);
}

std::string_view pythonBreakFix(BreakClass breakClass) {
  for (const PythonFix& each : kPythonFixes) {
    if (each.breakClass == breakClass) return each.fix;
  }
  return {};
}

BreakClass breakClass(std::string_view reason, std::string_view op, std::string_view explanation) {
  const std::string words = lowered(reason);
  if (words.starts_with("skipped frame")) return BreakClass::kFrameSkip;
  if (op.starts_with("aten::")) {
    for (const ClassWords& each : kOperators) {
      if (each.words == bareName(op)) return each.breakClass;
    }
    if (bareName(op).find("unique") != std::string_view::npos) return BreakClass::kDynamicShape;
  }
  // Operators have namespaces, functions of Python do not.
  const bool isFunction = !op.empty() && op.find("::") == std::string_view::npos;
  const std::string function = isFunction ? lowered(op) : std::string();
  for (const ClassWords& each : kPythonFunctions) {
    if (function.find(each.words) != std::string::npos) return each.breakClass;
  }
  for (const ClassWords& each : kReasons) {
    const bool isOfNative = each.breakClass == BreakClass::kBuiltin &&
                            explanation.find("third-party C/C++") != std::string_view::npos &&
                            explanation.find("Python builtin") == std::string_view::npos;
    if (isOfNative && words.find(each.words) != std::string::npos) return BreakClass::kExtension;
    if (words.find(each.words) != std::string::npos) return each.breakClass;
  }
  return op.empty() || isFunction ? BreakClass::kOther : BreakClass::kUntraceableOperator;
}

}  // namespace jitscope::analyzer
