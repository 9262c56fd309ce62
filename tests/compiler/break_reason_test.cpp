#include "compiler/frontend/break_reason.h"

#include <gtest/gtest.h>

namespace jitscope::compiler {
namespace {

struct OperatorCase {
  const char* op;
  bool readsData, hasDynamicShape;
  const char* type;
};

class ReasonOfOperator : public testing::TestWithParam<OperatorCase> {};

TEST_P(ReasonOfOperator, HasDynamosTypeAndAnExplanationAndAHint) {
  const OperatorCase& row = GetParam();
  const BreakReason reason = reasonOfOperator(row.op, row.readsData, row.hasDynamicShape);
  EXPECT_EQ(reason.type, row.type);
  EXPECT_EQ(reason.op, row.op);
  EXPECT_FALSE(reason.explanation.empty());
  EXPECT_FALSE(reason.hint.empty());
  EXPECT_FALSE(reason.context.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Operators, ReasonOfOperator,
    testing::Values(
        OperatorCase{"aten::item", true, false,
                     "Unsupported Tensor.item() call with capture_scalar_outputs=False"},
        OperatorCase{"aten::_local_scalar_dense", true, false,
                     "Unsupported Tensor.item() call with capture_scalar_outputs=False"},
        OperatorCase{"aten::is_nonzero", true, false, "Data-dependent branching"},
        OperatorCase{"aten::equal", true, false, "Data dependent operator"},
        OperatorCase{"aten::nonzero", false, true, "Dynamic shape operator"},
        OperatorCase{"my::op", false, false, "Operator declared untraceable"}));

TEST(BreakReason, NamesTheOperatorAsDynamoDoes) {
  EXPECT_EQ(reasonOfOperator("aten::nonzero", false, true).explanation,
            "Operator `aten.nonzero.default`'s output shape depends on input Tensor data.");
}

TEST(BreakReason, CarriesTheUsersMessage) {
  EXPECT_EQ(reasonOfExplicitBreak("here").explanation, "User-inserted graph break. Message: here");
}

TEST(BreakReason, NamesTheMethodThatChangesATensorsSize) {
  EXPECT_EQ(reasonOfMetadataMutation("aten::resize_").type, "Unsupported Tensor.resize_() call");
}

TEST(BreakReason, TellsBackwardFromOtherAutogradState) {
  EXPECT_EQ(reasonOfAutogradState("backward").type, "Unsupported Tensor.backward() call");
  EXPECT_EQ(reasonOfAutogradState("retain_grad").type, "Unsupported change of autograd state");
}

TEST(BreakReason, KeepsDeclarationsOfUntraceableOperators) {
  EXPECT_FALSE(isDeclaredUntraceable("my::declared"));
  declareUntraceable("my::declared");
  EXPECT_TRUE(isDeclaredUntraceable("my::declared"));
  EXPECT_FALSE(isDeclaredUntraceable("my::other"));
  EXPECT_EQ(reasonOfOperator("my::declared", true, true).type, "Operator declared untraceable");
}

}  // namespace
}  // namespace jitscope::compiler
