#include "gui/models/steps.h"

#include <gtest/gtest.h>

namespace jitscope::gui {
namespace {

StepCall eager(int64_t startNs) { return {{startNs, startNs + 50}, true, false, 0}; }
StepCall hit(int64_t startNs, int64_t lengthNs, int32_t breaks = 0) {
  return {{startNs, startNs + lengthNs}, false, false, breaks};
}
StepCall compiling(int64_t startNs) { return {{startNs, startNs + 900}, false, true, 1}; }

TEST(AlignSteps, PutsTheNthEagerCallAboveTheNthCompiledCall) {
  const StepTrack track = alignSteps("f", {eager(0), eager(100), compiling(1'000), hit(2'000, 20)});
  ASSERT_EQ(track.steps.size(), 2U);
  EXPECT_EQ(track.steps[1].eager->startNs, 100);
  EXPECT_EQ(track.steps[1].compiled->startNs, 2'000);
  EXPECT_TRUE(track.eagerNote.isEmpty());
  EXPECT_TRUE(track.compiledNote.isEmpty());
}

TEST(AlignSteps, ShowsTheFirstCallAboveWhenNothingRanEagerly) {
  const StepTrack track = alignSteps("f", {compiling(1'000), hit(2'000, 20), hit(3'000, 20)});
  ASSERT_EQ(track.steps.size(), 3U);
  for (const Step& step : track.steps) EXPECT_EQ(step.eager->startNs, 1'000);
  EXPECT_FALSE(track.eagerNote.isEmpty());
  EXPECT_EQ(track.eagerCount, 0U);
  EXPECT_TRUE(track.eagerNote.contains("captured"));
  EXPECT_EQ(track.eagerName(), "first call");
  EXPECT_FALSE(alignSteps("f", {hit(0, 20), hit(50, 20)}).eagerNote.contains("captured"))
      << "a recording may begin long after the capture";
}

TEST(AlignSteps, SaysThatNothingWasCompiled) {
  const StepTrack track = alignSteps("f", {eager(0), eager(100)});
  EXPECT_FALSE(track.compiledNote.isEmpty());
  EXPECT_FALSE(track.steps[0].compiled.has_value());
}

TEST(AlignSteps, KeepsTheLastCallOfTheShorterKind) {
  const StepTrack track = alignSteps("f", {eager(0), hit(1'000, 20), hit(2'000, 20)});
  EXPECT_EQ(track.steps[1].eager->startNs, 0);
}

TEST(AlignSteps, OpensAtTheMedianStepWithTheMostBreaks) {
  const StepTrack track = alignSteps(
      "f", {compiling(0), hit(1'000, 10), hit(2'000, 90, 1), hit(3'000, 30, 1), hit(4'000, 60, 1)});
  EXPECT_EQ(track.typical, 4U);
}

TEST(AlignSteps, IsEmptyWithoutCalls) {
  const StepTrack track = alignSteps("f", {});
  EXPECT_TRUE(track.steps.empty());
  EXPECT_EQ(stepAt(track, Pane::kEager, 5), 0U);
}

TEST(StepAt, FindsTheStepAroundATimeOrTheNearest) {
  const StepTrack track = alignSteps("f", {eager(0), eager(100), hit(1'000, 20), hit(2'000, 20)});
  EXPECT_EQ(stepAt(track, Pane::kCompiled, 1'010), 0U);
  EXPECT_EQ(stepAt(track, Pane::kCompiled, 1'900), 1U);
  EXPECT_EQ(stepAt(track, Pane::kEager, 99), 1U);
  EXPECT_EQ(stepAt(track, Pane::kEager, -50), 0U);
}

}  // namespace
}  // namespace jitscope::gui
