#include <gtest/gtest.h>

#include <QImage>
#include <QLabel>
#include <QTreeView>
#include <algorithm>
#include <fstream>

#include "analyzer/recording_notes.h"
#include "gui/loading/run_text.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/finding_cards.h"
#include "gui/widgets/mark_strip.h"
#include "tests/gui/page_test.h"
#include "trace/writer.h"

namespace jitscope::gui {
namespace {

constexpr const char* kOperator =
    R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 1})";
constexpr const char* kCompiledRegion = R"({"ph": "X", "cat": "cpu_op",
    "name": "Torch-Compiled Region: 0/0", "pid": 1, "tid": 1, "ts": 1, "dur": 5})";

/// What the window says of files that do not tell what one looks for, and of those that do.
class Untold : public PageTest {
 protected:
  /// A trace of a profiler, with an operator that ran eagerly or in a compiled region.
  QString profile(bool isCompiled) {
    const QString path = file("profile.json");
    std::ofstream target(path.toStdString());
    target << R"({"traceEvents": [)" << kOperator;
    if (isCompiled) target << ", " << kCompiledRegion;
    target << "]}";
    return path;
  }

  /// A recording of ours in which nothing happened.
  QString idleRecording() {
    const QString path = file("idle.jitscope");
    auto writer = trace::FileWriter::create(path.toStdString());
    EXPECT_TRUE(writer && (*writer)->close().lost == 0);
    return path;
  }

  bool showsNote(const QString& start) {
    const auto notes = window.findChildren<QLabel*>("empty");
    return std::any_of(notes.begin(), notes.end(), [&](const QLabel* note) {
      return note->isVisible() && note->text().startsWith(start);
    });
  }

  QString numbers() { return detailText(*find<DetailPanel>("overview numbers")->detail()); }

  const QString untold = toText(analyzer::kCompilesUntold);
};

TEST_F(Untold, BreaksAndRecompilesAreNotNoneOnTheOverview) {
  openFile(profile(false), "overview");
  EXPECT_TRUE(find<QLabel>("overview verdict")->text().endsWith(untold));
  EXPECT_TRUE(find<FindingCards>("cards")->emptyText().contains("they tell nothing"));
  EXPECT_EQ(find<MarkStrip>("marks")->emptyText(), untold);
  EXPECT_TRUE(numbers().contains("callables: –")) << numbers().toStdString();
  EXPECT_TRUE(numbers().contains("calls: –")) << numbers().toStdString();
}

TEST_F(Untold, IsNotSaidOfARecordingThatTells) {
  openFile(idleRecording(), "overview");
  EXPECT_FALSE(find<QLabel>("overview verdict")->text().contains(untold));
  EXPECT_TRUE(find<FindingCards>("cards")->emptyText().startsWith("Nothing to mend"));
  EXPECT_EQ(find<MarkStrip>("marks")->emptyText(), "no break, no recompile");
  EXPECT_TRUE(numbers().contains("callables: 0 compiled")) << numbers().toStdString();
  EXPECT_TRUE(numbers().contains("calls: 0")) << numbers().toStdString();
  window.showPage(findPage("breaks"));
  EXPECT_TRUE(showsNote("Nothing here was compiled"));
  window.showPage(findPage("graphs"));
  EXPECT_TRUE(showsNote("The recording has no compiled callables"));
}

TEST_F(Untold, IsDrawnWhereFindingsAndMarksWouldStand) {
  openFile(profile(false), "overview");
  auto* cards = find<FindingCards>("cards");
  auto* marks = find<MarkStrip>("marks");
  const QImage cardsBefore = cards->grab().toImage(), marksBefore = marks->grab().toImage();
  cards->setEmptyText({});
  marks->setEmptyText({});
  EXPECT_NE(cards->grab().toImage(), cardsBefore);
  EXPECT_NE(marks->grab().toImage(), marksBefore);
}

TEST_F(Untold, BreaksAreNotNoneOnThePageOfBreaks) {
  for (const bool isCompiled : {false, true}) {
    openFile(profile(isCompiled), "breaks");
    EXPECT_TRUE(showsNote(untold)) << isCompiled;
  }
}

TEST_F(Untold, GraphsAreNotNoneOfAnEagerProfile) {
  openFile(profile(false), "graphs");
  EXPECT_TRUE(showsNote(untold));
}

TEST_F(Untold, CompilationsOfAFrameAreNotNone) {
  openFile(profile(true), "graphs");
  const QAbstractItemModel& frames = *find<QTreeView>("Frames and entries")->model();
  ASSERT_EQ(frames.rowCount(), 1);
  EXPECT_EQ(frames.index(0, 5).data().toString(), "not told by these files");
  EXPECT_TRUE(detailText(*find<DetailPanel>("graph detail")->detail()).contains(untold));
}

TEST_F(Untold, WorkIsNotNoneWhereNoneWasRecorded) {
  openFile(profile(false), "timelines");
  EXPECT_TRUE(find<QLabel>("range summary")->text().contains("1 operator"));
  openFile(idleRecording(), "timelines");
  EXPECT_FALSE(find<QLabel>("range summary")->text().contains("operator"));
}

}  // namespace
}  // namespace jitscope::gui
