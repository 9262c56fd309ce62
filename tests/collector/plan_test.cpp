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

TEST(ParseDuration, TakesUnitsAndRefusesTheRest) {
  EXPECT_EQ(parseDuration("5"), 5'000'000'000);
  EXPECT_EQ(parseDuration("2.5s"), 2'500'000'000);
  EXPECT_EQ(parseDuration("300ms"), 300'000'000);
  EXPECT_EQ(parseDuration("20us"), 20'000);
  EXPECT_EQ(parseDuration("2m"), 120'000'000'000);
  EXPECT_EQ(parseDuration("1h"), 3'600'000'000'000);
  for (const char* wrong : {"", "s", "0", "-1", "1e9", "nan", "inf", "5 s", "5d", "99999999h"}) {
    EXPECT_FALSE(parseDuration(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace jitscope::collector
