#include "analyzer/diagnoses/break_class.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::analyzer {
namespace {

struct BreakCase {
  std::string name, reason, op, breakClass;
};

class BreakClasses : public testing::TestWithParam<BreakCase> {};

TEST_P(BreakClasses, AreReadFromReasonAndOperator) {
  const BreakClass found = breakClass(GetParam().reason, GetParam().op);
  EXPECT_EQ(name(found), GetParam().breakClass);
  EXPECT_FALSE(breakTitle(found).empty());
  EXPECT_FALSE(breakFix(found).empty());
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, BreakClasses,
    testing::Values(
        BreakCase{"Item", "Unsupported Tensor.item() call with capture_scalar_outputs=False",
                  "aten::_local_scalar_dense", "scalar_read"},
        BreakCase{"ItemWithoutOperator",
                  "Unsupported Tensor.item() call with capture_scalar_outputs=False", "",
                  "scalar_read"},
        BreakCase{"IsNonzero", "Data-dependent branching", "aten::is_nonzero", "control_flow"},
        BreakCase{"Branching", "Data-dependent branching", "", "control_flow"},
        BreakCase{"EqualOverload", "", "aten::equal.Tensor", "control_flow"},
        BreakCase{"Nonzero", "Dynamic shape operator", "aten::nonzero", "dynamic_shape"},
        BreakCase{"Unique", "", "aten::_unique2", "dynamic_shape"},
        BreakCase{"DynamicShape", "Dynamic shape operator (no meta kernel)", "my::select",
                  "dynamic_shape"},
        BreakCase{"Print", "Call to jitscope::print", "", "print"},
        BreakCase{"Explicit", "Call to `torch._dynamo.graph_break()`", "", "explicit"},
        BreakCase{"ExplicitOurs", "Call to jitscope::graphBreak()", "", "explicit"},
        BreakCase{"Untraceable", "Operator declared untraceable", "my::send",
                  "untraceable_operator"},
        BreakCase{"Disabled", "Skip calling `torch.compiler.disable()`d function", "",
                  "disabled_callable"},
        BreakCase{"RawAccess", "Raw data access (data_ptr)", "", "raw_access"},
        BreakCase{"Resize", "", "aten::resize_", "metadata_mutation"},
        BreakCase{"Backward", "backward() inside of the graph", "", "autograd_state"},
        BreakCase{"Divergence", "operator stream diverged at #3", "", "divergence"},
        BreakCase{"DataDependentOperator", "Data dependent operator", "", "control_flow"},
        BreakCase{"SqueezeInPlace", "Unsupported Tensor.squeeze_() call", "aten::squeeze_",
                  "metadata_mutation"},
        BreakCase{"PythonItem", "Unsupported Tensor.item() call", "Tensor.item", "scalar_read"},
        BreakCase{"OldItem", "Tensor.item", "", "scalar_read"},
        BreakCase{"OldList", "Tensor.tolist", "", "scalar_read"},
        BreakCase{"SliceByATensor", "Dynamic slicing with Tensor arguments", "", "scalar_read"},
        BreakCase{"PythonPrint", "Failed to trace builtin operator", "print", "print"},
        BreakCase{"PythonLogging", "logging.Logger method not supported", "logging.Logger.info",
                  "print"},
        BreakCase{"PythonExtension", "Attempted to call function marked as skipped",
                  "ext.PyCapsule.quant", "unregistered_extension"},
        BreakCase{"PythonBuiltin", "Failed to trace builtin operator", "sorted",
                  "unsupported_builtin"},
        BreakCase{"PythonContext", "Unsupported context manager", "", "unsupported_context"},
        BreakCase{"PythonExplicit", "skip function graph_break in file decorators.py", "",
                  "explicit"},
        BreakCase{"PythonUnknownFunction", "something else", "f", "other"},
        BreakCase{"SkippedFrame", "skipped frame: print", "print", "frame_skip"},
        BreakCase{"NothingKnown", "something else", "", "other"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace jitscope::analyzer
