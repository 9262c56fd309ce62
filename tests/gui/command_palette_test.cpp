#include <gtest/gtest.h>

#include <QLineEdit>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>
#include <algorithm>

#include "gui/window_commands.h"
#include "tests/gui/page_test.h"

namespace jitscope::gui {
namespace {

class CommandPaletteTest : public PageTest {
 protected:
  QLineEdit* openPalette() {
    QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = find<QWidget>("palette");
    EXPECT_TRUE(palette->isVisible());
    return palette->findChild<QLineEdit*>();
  }

  size_t shownPage() { return static_cast<size_t>(find<QStackedWidget>("pages")->currentIndex()); }
};

TEST_F(CommandPaletteTest, GoesToAPageByItsName) {
  openFile(record(), "timelines");
  QLineEdit* pattern = openPalette();
  QTest::keyClicks(pattern, "page graphs");
  QTest::keyClick(pattern, Qt::Key_Return);
  EXPECT_EQ(shownPage(), findPage("graphs"));
  EXPECT_FALSE(find<QWidget>("palette")->isVisible());
}

TEST_F(CommandPaletteTest, RunsTheCommandThatTheArrowsChoose) {
  openFile(record(), "timelines");
  QLineEdit* pattern = openPalette();
  QTest::keyClicks(pattern, "show page");
  QTest::keyClick(pattern, Qt::Key_Down);
  QTest::keyClick(pattern, Qt::Key_Down);
  QTest::keyClick(pattern, Qt::Key_Up);
  QTest::keyClick(pattern, Qt::Key_Return);
  EXPECT_EQ(shownPage(), 1U);
}

TEST_F(CommandPaletteTest, ClosesWithoutDoingAnything) {
  openFile(record(), "breaks");
  QLineEdit* pattern = openPalette();
  QTest::keyClicks(pattern, "quit");
  QTest::keyClick(pattern, Qt::Key_Escape);
  EXPECT_TRUE(window.isVisible());
  EXPECT_EQ(shownPage(), findPage("breaks"));
}

TEST_F(CommandPaletteTest, ClosesWhenAnotherRecordingComes) {
  openFile(record(), "timelines");
  QTest::keyClicks(openPalette(), "finding");
  const std::vector<Command> commands = windowCommands(window);
  ASSERT_TRUE(writeRecording({.compiledSteps = 0}, file("other.jitscope").toStdString()));
  openFile(file("other.jitscope"), "breaks");
  EXPECT_FALSE(find<QWidget>("palette")->isVisible());
  for (const Command& command : commands) {
    if (command.title.startsWith("Finding: ")) command.run();
  }
  EXPECT_EQ(shownPage(), findPage("breaks")) << "what is not there cannot be shown";
}

TEST_F(CommandPaletteTest, OffersPagesAndFindings) {
  openFile(record(), "timelines");
  const std::vector<Command> commands = windowCommands(window);
  const auto has = [&commands](const QString& start) {
    return std::count_if(commands.begin(), commands.end(),
                         [&](const Command& command) { return command.title.startsWith(start); });
  };
  EXPECT_EQ(has("Show page "), static_cast<int64_t>(pageList().size()));
  EXPECT_EQ(has("Finding: "), 2);
}

TEST_F(CommandPaletteTest, OpensWhatIsDroppedOnTheWindow) {
  openFile(record(), "timelines");
  QMimeData dropped;
  dropped.setUrls({QUrl::fromLocalFile(file("run.jitscope"))});
  QDragEnterEvent enter({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
  QSignalSpy finished(&window.loader(), &TraceLoader::finished);
  QApplication::sendEvent(&window, &drop);
  EXPECT_TRUE(drop.isAccepted());
  EXPECT_TRUE(finished.wait(60'000));
}

}  // namespace
}  // namespace jitscope::gui
