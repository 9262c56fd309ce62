#include "gui/selection.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

class SelectionTest : public testing::Test {
 protected:
  SelectionTest() {
    selection.setAxis(TimeAxis({0, 1'000}, 500));
    selection.setTimeline(smallTimeline());
  }
  Selection selection;
};

TEST_F(SelectionTest, OpensOnTheWholeStep) {
  EXPECT_LE(selection.axis().startNs(), 0);
  EXPECT_GE(selection.axis().endNs(), 1'000);
  EXPECT_LT(selection.axis().spanNs(), 1'200);
  EXPECT_EQ(selection.originNs(Pane::kEager), 0);
  EXPECT_EQ(selection.originNs(Pane::kCompiled), 10'000);
}

TEST_F(SelectionTest, ShowsAStretchOfTheRecordingInThePaneOfItsStep) {
  selection.show({10'200, 10'500});
  EXPECT_EQ(selection.originNs(Pane::kCompiled), 10'000);
  EXPECT_EQ(selection.axis().startNs(), 200);
  EXPECT_EQ(selection.axis().endNs(), 500);
  selection.show({9'900, 10'300});
  EXPECT_EQ(selection.axis().startNs(), -100);
  selection.show({300, 700});
  EXPECT_EQ(selection.originNs(Pane::kEager), 0);
  EXPECT_EQ(selection.axis().startNs(), 300);
  EXPECT_EQ(selection.axis().endNs(), 700);
}

TEST_F(SelectionTest, TellsEachChangeOnce) {
  QSignalSpy axis(&selection, &Selection::axisChanged);
  QSignalSpy pick(&selection, &Selection::pickChanged);
  selection.setAxis(selection.axis().zoomed(0.5, 10));
  selection.setAxis(selection.axis());
  const Pick wanted{Pick::Kind::kEvent, Pane::kEager, 1, 2, 0};
  selection.setPick(wanted);
  selection.setPick(wanted);
  EXPECT_EQ(axis.count(), 1);
  EXPECT_EQ(pick.count(), 1);
}

TEST_F(SelectionTest, CountsTheTimeOfAPickFromItsPanesStep) {
  selection.setPick(Pick{Pick::Kind::kEvent, Pane::kCompiled, 1, 2, 3});
  EXPECT_EQ(selection.pickTime(), (TimeRange{100, 200}));
}

TEST_F(SelectionTest, CountsTheRangeInBothPanesFromTheirSteps) {
  selection.setRange(TimeRange{50, 350});
  EXPECT_EQ(selection.countedRange(Pane::kEager), (TimeRange{50, 350}));
  EXPECT_EQ(selection.countedRange(Pane::kCompiled), (TimeRange{10'050, 10'350}));
  selection.setRange(TimeRange{70, 70});
  EXPECT_FALSE(selection.range().has_value()) << "an empty range is none";
}

TEST_F(SelectionTest, CountsOnlyWhatBelongsToTheStepUntilARangeIsSelected) {
  selection.fitRecording();
  EXPECT_EQ(selection.countedRange(Pane::kEager), (TimeRange{0, 1'000}));
  EXPECT_EQ(selection.countedRange(Pane::kCompiled), (TimeRange{10'000, 10'800}));
  selection.setAxis(TimeAxis({200, 300}, 500));
  EXPECT_EQ(selection.countedRange(Pane::kCompiled), (TimeRange{10'200, 10'300}));
  selection.setAxis(TimeAxis({900, 1'000}, 500));
  EXPECT_EQ(selection.countedRange(Pane::kCompiled), (TimeRange{10'900, 11'000}))
      << "beyond the step: what is in view";
}

TEST_F(SelectionTest, LeadsWithThePaneThatShowsSomething) {
  EXPECT_EQ(selection.leadingPane(), Pane::kCompiled);
  auto plain = std::make_shared<Timeline>(*smallTimeline());
  plain->tracks.clear();
  selection.setTimeline(plain);
  EXPECT_EQ(selection.leadingPane(), Pane::kEager);
}

TEST_F(SelectionTest, KeepsTimesThatCanBeAddedUp) {
  constexpr int64_t kLatestNs = 7'000'000'000'000'000'000;
  auto endless = std::make_shared<Timeline>(*smallTimeline());
  endless->extent = {0, kLatestNs};
  endless->tracks = {alignSteps(
      "step", {{{0, 1'000}, true, false, 0}, {{kLatestNs - 1'000, kLatestNs}, false, false, 0}})};
  selection.setTimeline(endless);
  selection.fitRecording();
  const TimeAxis& axis = selection.axis();
  EXPECT_LE(axis.startNs(), 0);
  for (const Pane pane : kPanes) {
    const auto originNs = static_cast<double>(selection.originNs(pane));
    EXPECT_LT(static_cast<double>(axis.endNs()) + originNs, 9.2e18);
  }
}

TEST_F(SelectionTest, NeverLeavesTheRecording) {
  for (int i = 0; i < 200; ++i) selection.setAxis(selection.axis().panned(400));
  const TimeAxis& axis = selection.axis();
  EXPECT_LE(axis.startNs() + selection.originNs(Pane::kEager), 11'000 + 11'000 / 10);
  for (int i = 0; i < 200; ++i) selection.setAxis(selection.axis().zoomed(4, 0));
  EXPECT_LT(axis.spanNs(), 40'000);
}

TEST_F(SelectionTest, RevealsAMomentOfTheRecording) {
  selection.setAxis(TimeAxis({0, 150}, 500));
  selection.reveal(Pane::kCompiled, 10'350);
  EXPECT_TRUE((TimeRange{selection.axis().startNs(), selection.axis().endNs()}).contains(350));
}

TEST_F(SelectionTest, GoesToAMomentAndAsksForTheTimelines) {
  int wanted = 0;
  QObject::connect(&selection, &Selection::timelinesWanted, [&wanted] { ++wanted; });
  selection.setAxis(TimeAxis({0, 150}, 500));
  selection.goTo(Pane::kCompiled, 10'350);
  EXPECT_EQ(wanted, 1);
  EXPECT_TRUE((TimeRange{selection.axis().startNs(), selection.axis().endNs()}).contains(350));
}

TEST_F(SelectionTest, AsksForAFinding) {
  std::vector<size_t> chosen;
  QObject::connect(&selection, &Selection::findingChosen,
                   [&chosen](size_t row) { chosen.push_back(row); });
  selection.chooseFinding(3);
  EXPECT_EQ(chosen, std::vector<size_t>{3});
}

TEST_F(SelectionTest, BringsStepsIntoRange) {
  selection.setStep(9, 99);
  EXPECT_EQ(selection.track(), 0U);
  EXPECT_EQ(selection.step(), 0U);
}

TEST(Selection, IsQuietWithoutARecording) {
  Selection selection;
  EXPECT_FALSE(selection.shows(Pane::kEager));
  selection.setStep(1, 1);
  selection.fitStep();
  selection.reveal(Pane::kEager, 5);
  EXPECT_FALSE(selection.pickTime().has_value());
}

}  // namespace
}  // namespace jitscope::gui
