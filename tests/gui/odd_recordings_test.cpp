#include "tests/gui/odd_recordings.h"

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QApplication>
#include <QLabel>
#include <QTest>
#include <algorithm>

#include "gui/main_window.h"
#include "gui/screenshot.h"
#include "gui/widgets/timeline_view.h"
#include "tests/gui/monkey.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

constexpr uint32_t kSeed = 20'26;

/// What must hold whatever was done: everything that is selected exists, and the axis shows a part
/// of what may be shown.
void expectSane(const Selection& selection) {
  if (!selection.timeline()) return;
  const Timeline& timeline = *selection.timeline();
  EXPECT_GE(selection.axis().spanNs(), TimeAxis::kShortestSpanNs);
  EXPECT_GT(selection.axis().endNs(), selection.axis().startNs());
  if (selection.track() < timeline.tracks.size()) {
    EXPECT_LT(selection.step(), timeline.tracks[selection.track()].steps.size());
  }
  if (!selection.pick()) return;
  const Pick& pick = *selection.pick();
  if (pick.kind == Pick::Kind::kMark) {
    EXPECT_LT(pick.index, timeline.marks.size());
    return;
  }
  ASSERT_LT(pick.lane, timeline.lanes.size());
  ASSERT_LT(pick.row, timeline.lanes[pick.lane].rows.size());
  EXPECT_LT(pick.index, timeline.lanes[pick.lane].rows[pick.row].events().size());
}

void letLoose(MainWindow& window, uint32_t seed, int acts) {
  Monkey monkey(window, seed);
  for (int i = 0; i < acts && !testing::Test::HasFailure(); ++i) {
    monkey.act();
    expectSane(window.selection());
  }
  if (!testing::Test::HasFailure()) return;
  ADD_FAILURE() << "seed " << seed << ": " << monkey.lastActs().toStdString();
}

class MonkeyTest : public RecordingTest {};

TEST_F(MonkeyTest, BreaksNoWindowOfAHealthyRecording) {
  const QString path = record({.hasGpu = true});
  for (uint32_t seed = kSeed; seed < kSeed + 4; ++seed) {
    MainWindow window;
    window.resize(1280, 720);
    ASSERT_EQ(takeScreenshot(window, path.toStdString(), file("a.png").toStdString()), QString());
    letLoose(window, seed, 150);
  }
}

TEST_F(MonkeyTest, MayBeClosedAtAnyMomentOfLoading) {
  const std::string path = record({.eagerSteps = 60, .compiledSteps = 60}).toStdString();
  for (const int moments : {0, 1, 10, 100, 1'000, 10'000}) {
    MainWindow window;
    window.show();
    window.open(path);
    for (int i = 0; i < moments; ++i) QApplication::processEvents();
    window.close();
  }
}

TEST_F(MonkeyTest, MayOpenAnotherRecordingAtAnyMomentOfLoading) {
  const std::string path = record({.eagerSteps = 60, .compiledSteps = 60}).toStdString();
  MainWindow window;
  window.show();
  for (const int moments : {0, 1, 10, 100, 1'000}) {
    window.open(path);
    for (int i = 0; i < moments; ++i) QApplication::processEvents();
  }
  ASSERT_EQ(takeScreenshot(window, path, file("a.png").toStdString()), QString());
  EXPECT_NE(window.selection().timeline(), nullptr);
}

class OddRecordingTest : public RecordingTest, public testing::WithParamInterface<OddRecording> {};

TEST_P(OddRecordingTest, IsShownAndBearsAMonkey) {
  const QString path = file("odd.jitscope");
  ASSERT_TRUE(writeOddRecording(GetParam(), path.toStdString()));
  MainWindow window;
  window.resize(1280, 720);
  ASSERT_EQ(takeScreenshot(window, path.toStdString(), file("a.png").toStdString()), QString());
  letLoose(window, kSeed, 60);
  window.resize(1280, 720);
  EXPECT_FALSE(window.grab().isNull());
}

const OddRecording& oddRecording(const std::string& name) {
  for (const OddRecording& recording : oddRecordings()) {
    if (recording.name == name) return recording;
  }
  ADD_FAILURE() << "no recording " << name;
  return oddRecordings().front();
}

class OddWindowTest : public RecordingTest {
 protected:
  void open(const std::string& name) {
    const QString path = file("odd.jitscope");
    ASSERT_TRUE(writeOddRecording(oddRecording(name), path.toStdString()));
    window.resize(1280, 720);
    ASSERT_EQ(takeScreenshot(window, path.toStdString(), file("a.png").toStdString()), QString());
  }

  MainWindow window;
};

TEST_F(OddWindowTest, SelectsByKeysWithoutACompiledPart) {
  open("no compiled part");
  auto* timelines = window.findChild<QWidget*>("timeline");
  QTest::keyClick(timelines, Qt::Key_Down, Qt::ControlModifier);
  ASSERT_TRUE(window.selection().pick().has_value());
  EXPECT_EQ(window.selection().pick()->pane, Pane::kEager);
}

TEST_F(OddWindowTest, ShowsCompilationsOfARecordingWithoutCalls) {
  open("compilations alone");
  const TimelineLayout& placed = window.findChild<TimelineView*>("timeline")->placement();
  ASSERT_FALSE(placed.panes[0].rows.empty());
  EXPECT_TRUE(placed.panes[0].lanes.front().hasMarks);
}

TEST_F(OddWindowTest, TakesNamesAsTheyAre) {
  open("strange names");
  EXPECT_TRUE(window.findChild<QLabel*>("verdict")->text().contains("operator%1 %2 %99 <b>&lt;"))
      << window.findChild<QLabel*>("verdict")->text().toStdString();
}

TEST_F(OddWindowTest, CountsLargeRangesForThePictureToo) {
  open("many operators");
  EXPECT_GT(window.findChild<QAbstractItemView*>("numbers")->model()->rowCount(), 0);
}

INSTANTIATE_TEST_SUITE_P(All, OddRecordingTest,
                         testing::ValuesIn(oddRecordings().begin(), oddRecordings().end()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

}  // namespace
}  // namespace jitscope::gui
