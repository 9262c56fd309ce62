#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QImage>
#include <QListView>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <set>
#include <utility>

#include "gui/main_window.h"
#include "gui/models/range_table.h"
#include "gui/screenshot.h"
#include "gui/widgets/detail_panel.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/timeline_view.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

constexpr int kPatienceMs = 30'000;

class WindowTest : public RecordingTest {
 protected:
  void open(const SyntheticRecording& wanted = {}) {
    window.resize(1600, 900);
    window.show();
    QSignalSpy finished(&window.loader(), &TraceLoader::finished);
    window.open(record(wanted).toStdString());
    ASSERT_TRUE(finished.wait(kPatienceMs));
    timelines = window.findChild<TimelineView*>("timeline");
    ASSERT_NE(timelines, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    timelines->setFocus();
  }

  Selection& selection() { return window.selection(); }
  const TimeAxis& axis() { return window.selection().axis(); }
  const std::optional<Detail>& detail() {
    return window.findChild<DetailPanel*>("detail")->detail();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(timelines, key, modifiers);
  }

  /// Drags with the left button from one point of the timelines to another.
  void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mousePress(timelines, Qt::LeftButton, modifiers, from);
    QMouseEvent move(QEvent::MouseMove, to, timelines->mapToGlobal(to), Qt::NoButton,
                     Qt::LeftButton, modifiers);
    QApplication::sendEvent(timelines, &move);
    QTest::mouseRelease(timelines, Qt::LeftButton, modifiers, to);
  }

  RowKind pickedKind() {
    const Pick& pick = *selection().pick();
    return selection().timeline()->lanes[pick.lane].rows[pick.row].kind();
  }

  /// The middle of the first event of `kind` in view of `pane`.
  QPoint eventPoint(Pane pane, RowKind kind) {
    const TimeAxis absolute = axis().shifted(selection().originNs(pane));
    const PanePlace& place = timelines->placement().panes[static_cast<size_t>(pane)];
    for (const RowPlace& row : place.rows) {
      const EventRow& events = selection().timeline()->lanes[row.lane].rows[row.row];
      if (events.kind() != kind) continue;
      const auto [first, last] = events.touching({absolute.startNs(), absolute.endNs()});
      if (first == last) continue;
      const Event event = events.events().at((first + last) / 2);
      const double x = absolute.toPixel((event.time.startNs + event.time.endNs) / 2);
      return {TimelineLayout::kTitlePx + static_cast<int>(x),
              place.bodyTop + row.top - place.scroll + row.height / 2};
    }
    ADD_FAILURE() << "no such event in view";
    return {};
  }

  MainWindow window;
  TimelineView* timelines = nullptr;
};

TEST_F(WindowTest, OpensOnAStepWithBothPanes) {
  open();
  EXPECT_TRUE(selection().shows(Pane::kEager));
  EXPECT_TRUE(selection().shows(Pane::kCompiled));
  EXPECT_LE(axis().startNs(), 0);
  EXPECT_GE(axis().endNs(), selection().stepTimes().eager->lengthNs());
}

TEST_F(WindowTest, ZoomsAndPansByKeys) {
  open();
  const TimeAxis before = axis();
  press(Qt::Key_W);
  EXPECT_LT(axis().spanNs(), before.spanNs());
  press(Qt::Key_D);
  const int64_t later = axis().startNs();
  press(Qt::Key_Left);
  EXPECT_LT(axis().startNs(), later);
  press(Qt::Key_Minus);
  EXPECT_NEAR(axis().spanNs(), before.spanNs(), 2);
  press(Qt::Key_End);
  EXPECT_GT(axis().spanNs(), before.spanNs() * 4);
  press(Qt::Key_Home);
  EXPECT_EQ(axis(), before);
}

TEST_F(WindowTest, ZoomsAtTheCursorByWheel) {
  open();
  const int x = 700;
  const int64_t underCursorNs = axis().toTime(x - TimelineLayout::kTitlePx);
  const double spanNs = axis().spanNs();
  QWheelEvent turn(QPointF(x, 200), QPointF(x, 200), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                   Qt::NoScrollPhase, false);
  QApplication::sendEvent(timelines, &turn);
  EXPECT_LT(axis().spanNs(), spanNs);
  EXPECT_NEAR(axis().toTime(x - TimelineLayout::kTitlePx), underCursorNs, 2);
}

TEST_F(WindowTest, PansByDraggingWithoutSelecting) {
  open();
  press(Qt::Key_W);
  const int64_t startNs = axis().startNs();
  drag({700, 200}, {600, 200});
  EXPECT_GT(axis().startNs(), startNs);
  EXPECT_FALSE(selection().pick().has_value());
}

TEST_F(WindowTest, ShowsTheDetailsOfWhatIsClicked) {
  open();
  QTest::mouseClick(timelines, Qt::LeftButton, {}, eventPoint(Pane::kCompiled, RowKind::kRegion));
  ASSERT_TRUE(selection().pick().has_value());
  EXPECT_EQ(selection().pick()->pane, Pane::kCompiled);
  ASSERT_TRUE(detail().has_value());
  QTest::mouseClick(timelines, Qt::LeftButton, {}, eventPoint(Pane::kEager, RowKind::kOperator));
  ASSERT_TRUE(selection().pick().has_value());
  EXPECT_EQ(selection().pick()->pane, Pane::kEager);
  EXPECT_TRUE(detail()->title.startsWith("aten::"));
  press(Qt::Key_Escape);
  EXPECT_FALSE(selection().pick().has_value());
  EXPECT_EQ(detail()->title, "decodeStep") << "without a pick the step is told";
}

TEST_F(WindowTest, SelectsEventsByKeysAlone) {
  open();
  // Downwards row by row, until operators come.
  for (int row = 0; row < 10; ++row) {
    press(Qt::Key_Down, Qt::ControlModifier);
    ASSERT_TRUE(selection().pick().has_value());
    if (pickedKind() == RowKind::kOperator) break;
  }
  ASSERT_EQ(pickedKind(), RowKind::kOperator);
  const size_t index = selection().pick()->index;
  press(Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(selection().pick()->index, index + 1);
  press(Qt::Key_Left, Qt::ControlModifier);
  EXPECT_EQ(selection().pick()->index, index);
  press(Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(pickedKind(), RowKind::kRegion);
  press(Qt::Key_Down, Qt::ControlModifier);
  press(Qt::Key_E);
  EXPECT_EQ(selection().pick()->pane, Pane::kEager);
  press(Qt::Key_Return);
  const TimeRange view{axis().startNs(), axis().endNs()};
  EXPECT_TRUE(view.contains(selection().pickTime()->startNs));
  EXPECT_LT(axis().spanNs(), 200'000);
  press(Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(QApplication::clipboard()->text().contains("time:"));
}

TEST_F(WindowTest, GoesFromMarkToMark) {
  open();
  const size_t count = selection().timeline()->marks.size();
  std::set<size_t> seen;
  for (size_t i = 0; i < count; ++i) {
    press(Qt::Key_N);
    ASSERT_TRUE(selection().pick().has_value());
    EXPECT_EQ(selection().pick()->kind, Pick::Kind::kMark);
    seen.insert(selection().pick()->index);
    const int64_t atNs = selection().pickTime()->startNs;
    EXPECT_TRUE(atNs >= axis().startNs() && atNs <= axis().endNs()) << "mark out of view";
  }
  EXPECT_EQ(seen.size(), count);
}

TEST_F(WindowTest, ChangesTheStepInBothPanes) {
  open();
  selection().setStep(0, 5);
  const size_t step = selection().step();
  press(Qt::Key_PageDown);
  EXPECT_EQ(selection().step(), step + 1);
  press(Qt::Key_PageUp);
  press(Qt::Key_PageUp);
  EXPECT_EQ(selection().step(), step - 1);
}

TEST_F(WindowTest, CountsASelectedRange) {
  open();
  auto* numbers = window.findChild<QAbstractItemView*>("numbers");
  const int before = numbers->model()->rowCount();
  ASSERT_GT(before, 0);
  QTest::mouseClick(timelines, Qt::LeftButton, {}, eventPoint(Pane::kEager, RowKind::kOperator));
  press(Qt::Key_R);
  EXPECT_TRUE(selection().range().has_value());
  EXPECT_LT(numbers->model()->rowCount(), before);
  press(Qt::Key_Escape);
  EXPECT_EQ(numbers->model()->rowCount(), before);
}

TEST_F(WindowTest, SelectsARangeByShiftAndDrag) {
  open();
  drag({300, 150}, {500, 150}, Qt::ShiftModifier);
  ASSERT_TRUE(selection().range().has_value());
  EXPECT_NEAR(axis().toPixel(selection().range()->startNs), 300 - TimelineLayout::kTitlePx, 1);
  EXPECT_NEAR(axis().toPixel(selection().range()->endNs), 500 - TimelineLayout::kTitlePx, 1);
}

TEST_F(WindowTest, ShowsAFindingAndGoesWhereItIs) {
  open();
  auto* findings = window.findChild<QListView*>("findings");
  ASSERT_EQ(findings->model()->rowCount(), 2);
  findings->setFocus();
  ASSERT_TRUE(detail().has_value());
  const QString first = detail()->title;
  EXPECT_EQ(first, findings->model()->index(0, 0).data().toString());
  QTest::keyClick(findings, Qt::Key_Down);
  EXPECT_EQ(detail()->title, findings->model()->index(1, 0).data().toString());
  QTest::keyClick(findings, Qt::Key_Up);
  EXPECT_EQ(detail()->title, first);
}

TEST_F(WindowTest, ReachesEveryPartByTab) {
  open();
  std::set<QString> reached;
  for (int i = 0; i < 8; ++i) {
    if (QApplication::focusWidget() != nullptr)
      reached.insert(QApplication::focusWidget()->objectName());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  }
  for (const char* name : {"timeline", "findings", "numbers", "detail"}) {
    EXPECT_TRUE(reached.contains(name)) << name;
  }
}

TEST_F(WindowTest, KeepsTheLastGoodRecordingWhenAnotherFails) {
  open();
  const auto shown = selection().timeline();
  QSignalSpy failed(&window.loader(), &TraceLoader::failed);
  window.open(file("absent.jitscope").toStdString());
  ASSERT_TRUE(failed.wait(kPatienceMs));
  EXPECT_EQ(selection().timeline(), shown);
}

TEST_F(WindowTest, ShowsTheKeysUntilOneIsPressedAndGivesTheFocusBack) {
  open();
  auto* keys = window.findChild<QWidget*>("keys");
  press(Qt::Key_F1);
  ASSERT_TRUE(keys->isVisible());
  QTest::keyClick(keys, Qt::Key_Shift);
  EXPECT_TRUE(keys->isVisible()) << "half of a ? hides nothing";
  window.resize(1000, 640);
  EXPECT_EQ(keys->size(), keys->parentWidget()->size());
  QTest::keyClick(keys, Qt::Key_Escape);
  EXPECT_FALSE(keys->isVisible());
  EXPECT_TRUE(timelines->hasFocus());
  const double spanNs = axis().spanNs();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_W);
  EXPECT_LT(axis().spanNs(), spanNs);
}

TEST_F(WindowTest, CutsNoNumberInTheTableAtAnyWidth) {
  open({.hasGpu = true});
  auto* numbers = window.findChild<QTableView*>("numbers");
  const QFontMetrics metrics(fixedFont(11));
  for (const int width : {960, 1280, 1600, 2560}) {
    window.resize(width, 720);
    QApplication::processEvents();
    int end = 0;
    for (int column = 0; column < numbers->model()->columnCount(); ++column) {
      if (numbers->isColumnHidden(column)) continue;
      end = std::max(end, numbers->columnViewportPosition(column) + numbers->columnWidth(column));
      for (int row = 0; column > RangeTable::kKind && row < numbers->model()->rowCount(); ++row) {
        const QString text = numbers->model()->index(row, column).data().toString();
        EXPECT_LE(metrics.horizontalAdvance(text) + 16, numbers->columnWidth(column))
            << text.toStdString() << " at " << width;
      }
    }
    EXPECT_LE(end, numbers->viewport()->width()) << width;
  }
}

TEST_F(WindowTest, HidesTheSameColumnsOfBothPanesWhereRoomIsShort) {
  open({.hasGpu = true});
  auto* numbers = window.findChild<QTableView*>("numbers");
  int hidden = 0;
  for (const int width : {2560, 1600, 1280, 960}) {
    window.resize(width, 720);
    QApplication::processEvents();
    for (int column = RangeTable::kEagerCount; column <= RangeTable::kEagerShare; ++column) {
      const int other = column + RangeTable::kCompiledCount - RangeTable::kEagerCount;
      EXPECT_EQ(numbers->isColumnHidden(column), numbers->isColumnHidden(other))
          << column << " at " << width;
    }
    const int before = std::exchange(hidden, numbers->horizontalHeader()->hiddenSectionCount());
    EXPECT_GE(hidden, before) << width;
    EXPECT_TRUE(hidden == 0 || width < 2560) << hidden;
  }
  EXPECT_GT(hidden, 0);
}

/// How many pixels of `area` are of a colour.
int countOf(const QImage& image, QRgb wanted, const QRect& area) {
  int count = 0;
  for (int y = area.top(); y <= area.bottom(); ++y) {
    for (int x = area.left(); x <= area.right(); ++x) count += image.pixel(x, y) == wanted ? 1 : 0;
  }
  return count;
}

TEST_F(WindowTest, DrawsEachPaneInItsColour) {
  window.resize(1600, 900);
  const QString picture = file("window.png");
  ASSERT_EQ(takeScreenshot(window, record({.hasGpu = true}).toStdString(), picture.toStdString()),
            QString());
  const QImage image(picture);
  ASSERT_EQ(image.size(), QSize(1600, 900));
  timelines = window.findChild<TimelineView*>("timeline");
  const QPoint corner = timelines->mapTo(&window, QPoint(0, 0));
  std::array<QRect, 2> bodies;
  for (const PanePlace& pane : timelines->placement().panes) {
    bodies[static_cast<size_t>(pane.pane)] =
        QRect(corner.x() + TimelineLayout::kTitlePx, corner.y() + pane.bodyTop + 4,
              timelines->width() - TimelineLayout::kTitlePx, pane.bodyHeight - 4);
  }
  EXPECT_GT(countOf(image, colourOf(Category::kEager), bodies[0]), 2'000);
  EXPECT_GT(countOf(image, colourOf(Category::kCompiled), bodies[1]), 2'000);
  EXPECT_GT(countOf(image, colourOf(Category::kBreak), bodies[1]), 100);
  EXPECT_GT(countOf(image, colours().dramRead, bodies[1]), 100);
  EXPECT_EQ(countOf(image, colourOf(Category::kBreak), bodies[0]), 0);
}

}  // namespace
}  // namespace jitscope::gui
