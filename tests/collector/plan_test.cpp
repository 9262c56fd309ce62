#include "collector/windows/plan.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace jitscope::collector {
namespace {

TEST(WindowPlan, ComesThroughTheEnvironmentAsItWas) {
  const WindowPlan plan{.firstNs = 1'700'000'000'000'000'000,
                        .durationNs = 5,
                        .firstStep = 10,
                        .lastStep = INT64_MAX,
                        .isPaused = true,
                        .hasSignal = true,
                        .nvtxRange = "a range step=2 wish=",
                        .wish = "--steps 10.. --toggle-signal step=1",
                        .flight = {.beforeNs = 30,
                                   .afterNs = 3,
                                   .slowCallNs = 50,
                                   .onRecompile = true,
                                   .onLimit = true,
                                   .mostWindows = 7,
                                   .memoryBytes = 1'000}};
  EXPECT_EQ(planText(planOf(planText(plan).c_str())), planText(plan));
  EXPECT_EQ(planOf(planText(plan).c_str()).nvtxRange, plan.nvtxRange);
  EXPECT_EQ(planOf(planText(plan).c_str()).wish, plan.wish);
  EXPECT_EQ(planText(planOf(nullptr)), planText({}));
  EXPECT_EQ(planText(planOf("nonsense from= for=x step=7777777777777777777777")), planText({}));
}

}  // namespace
}  // namespace jitscope::collector
