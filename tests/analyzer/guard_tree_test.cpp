#include "analyzer/import/guard_tree.h"

#include <gtest/gtest.h>

namespace jitscope::analyzer {
namespace {

TEST(GuardTree, GivesEachGuardTheSourceAroundIt) {
  const std::vector<LoggedGuard> guards = parseGuards(
      "\nTREE_GUARD_MANAGER:\n"
      "+- RootGuardManager\n"
      "| +- GLOBAL_STATE: ___check_global_state() against {\"grad_mode\":true}\n"
      "| +- GuardManager: source=L['x'], accessed_by=FrameLocalsGuardAccessor(key='x'), type=T\n"
      "| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor)  # h = x@w  # rv/w.py:8 in step\n"
      "| | +- GuardManager: source=L['x'].grad, accessed_by=GetAttrGuardAccessor(grad)\n"
      "| | | +- ID_MATCH: ___check_obj_id(L['x'].grad, 1)\n"
      "| | +- NO_HASATTR: hasattr(L['x'], 'y') == False\n"
      "| +- LAMBDA_GUARD: 2 <= L['x'].size()[0]\n");
  ASSERT_EQ(guards.size(), 5U);
  EXPECT_EQ(guards[0].kind, "GLOBAL_STATE");
  EXPECT_EQ(guards[0].source, "");
  EXPECT_EQ(guards[1].kind, "TENSOR_MATCH");
  EXPECT_EQ(guards[1].source, "L['x']");
  EXPECT_EQ(guards[1].expression, "check_tensor(L['x'], Tensor)");
  EXPECT_EQ(guards[1].stack, "rv/w.py:8 step");
  EXPECT_EQ(guards[2].source, "L['x'].grad");
  EXPECT_EQ(guards[3].source, "L['x']");
  EXPECT_EQ(guards[4].kind, "LAMBDA_GUARD");
  EXPECT_EQ(guards[4].source, "");
}

TEST(GuardTree, ReadsTheListsBefore25) {
  const std::vector<LoggedGuard> guards =
      parseGuards("GUARDS:\n  hasattr(L['x'], 'y') == False   # x  # w.py:1 in f\n  L['n'] == 3\n");
  ASSERT_EQ(guards.size(), 2U);
  EXPECT_EQ(guards[0].kind, "NO_HASATTR");
  EXPECT_EQ(guards[0].stack, "w.py:1 f");
  EXPECT_EQ(guards[1].source, "L['n']");
}

TEST(GuardTree, SurvivesHostileDepth) {
  std::string line;
  for (int i = 0; i < 100'000; ++i) line += "| ";
  const std::vector<LoggedGuard> guards =
      parseGuards("TREE_GUARD_MANAGER:\n" + line + "+- ID_MATCH: x\n");
  ASSERT_EQ(guards.size(), 1U);
  EXPECT_EQ(guards[0].kind, "ID_MATCH");
}

}  // namespace
}  // namespace jitscope::analyzer
