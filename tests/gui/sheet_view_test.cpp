#include "gui/widgets/sheet_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTest>

#include "gui/models/cell_tree.h"
#include "gui/models/sheet_table.h"
#include "gui/widgets/cell_tree_view.h"
#include "tests/gui/printed_table.h"

namespace jitscope::gui {
namespace {

Sheet fruits() {
  Sheet sheet;
  sheet.columns = {{"Name", ColumnKind::kCode, true},
                   {"Count", ColumnKind::kNumber},
                   {"Place", ColumnKind::kCode, false, {}, true},
                   {"Remark"}};
  sheet.lines = {{{{"pear"}, {"1,000", 1'000}, {"orchard"}, {"sweet and soft"}}},
                 {{{"apple"}, {"9", 9}, {"orchard"}, {"sour"}}},
                 {{{"fig"}, {"200", 200}, {"house"}, {"dry"}}}};
  return sheet;
}

class SheetViewTest : public testing::Test {
 protected:
  SheetViewTest() {
    view.setModel(&table);
    view.resize(900, 300);
    view.show();
    table.reset(fruits());
  }

  QString nameAt(int row) const { return table.index(row, 0).data().toString(); }
  int shownPx() const { return view.horizontalHeader()->length(); }

  SheetTable table;
  SheetView view{"Fruits"};
};

TEST_F(SheetViewTest, SortsByDigitsThatCountTheVisibleColumns) {
  QTest::keyClick(&view, Qt::Key_2);
  EXPECT_EQ(nameAt(0), "pear");
  QTest::keyClick(&view, Qt::Key_2);
  EXPECT_EQ(nameAt(0), "apple");
  view.setColumnHidden(1, true);
  view.setColumnHidden(2, true);
  QTest::keyClick(&view, Qt::Key_2);
  EXPECT_EQ(nameAt(0), "pear") << "sweet and soft is the last remark";
}

TEST_F(SheetViewTest, ShowsTheNextSheetInItsOwnOrder) {
  QTest::keyClick(&view, Qt::Key_1);
  QTest::keyClick(&view, Qt::Key_1);
  ASSERT_EQ(nameAt(0), "apple");
  table.reset(fruits());
  EXPECT_EQ(nameAt(0), "pear");
  EXPECT_EQ(view.horizontalHeader()->sortIndicatorSection(), -1);
}

TEST_F(SheetViewTest, TellsWhichRowIsSelectedAndWhichIsChosen) {
  QSignalSpy selected(&view, &SheetView::rowSelected), chosen(&view, &SheetView::rowChosen);
  view.selectRow(1);
  ASSERT_EQ(selected.size(), 1);
  EXPECT_EQ(selected[0][0].toInt(), 1);
  view.setCurrentIndex(table.index(1, 2));
  EXPECT_EQ(selected.size(), 1) << "the same row";
  QTest::keyClick(&view, Qt::Key_Return);
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen[0][0].toInt(), 1);
}

TEST_F(SheetViewTest, CopiesTheSelectedLinesWithTheirHeadings) {
  view.selectRow(1);
  QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(),
            "Name\tCount\tPlace\tRemark\napple\t9\torchard\tsour\n");
}

TEST_F(SheetViewTest, FillsItsWidthWithTheWideColumn) {
  EXPECT_EQ(shownPx(), view.viewport()->width());
  const int countPx = view.columnWidth(1), namePx = view.columnWidth(0);
  view.resize(1200, 300);
  EXPECT_EQ(view.columnWidth(1), countPx);
  EXPECT_GT(view.columnWidth(0), namePx);
}

TEST_F(SheetViewTest, LetsExpendableColumnsGoThenTextsGiveWayAndCutsNoNumber) {
  const int countPx = view.columnWidth(1), remarkPx = view.columnWidth(3);
  view.resize(countPx + remarkPx + 180, 300);
  EXPECT_TRUE(view.isColumnHidden(2));
  EXPECT_EQ(view.columnWidth(3), remarkPx);
  view.resize(countPx + remarkPx + 150, 300);
  EXPECT_LT(view.columnWidth(3), remarkPx);
  EXPECT_EQ(view.columnWidth(1), countPx);
  EXPECT_EQ(shownPx(), view.viewport()->width());
  view.resize(900, 300);
  EXPECT_FALSE(view.isColumnHidden(2));
  EXPECT_EQ(view.columnWidth(3), remarkPx);
}

TEST_F(SheetViewTest, LetsAllExpendableColumnsGo) {
  Sheet sheet = fruits();
  sheet.columns[3].isExpendable = true;
  table.reset(sheet);
  view.resize(view.columnWidth(1) + 180, 300);
  EXPECT_TRUE(view.isColumnHidden(2));
  EXPECT_TRUE(view.isColumnHidden(3));
  view.resize(900, 300);
  EXPECT_FALSE(view.isColumnHidden(2));
  EXPECT_FALSE(view.isColumnHidden(3));
}

TEST_F(SheetViewTest, GivesEachWideColumnWhatTheOthersDoNotNeed) {
  Sheet sheet;
  sheet.columns = {{"Short", ColumnKind::kCode, true}, {"Long", ColumnKind::kText, true}};
  sheet.lines = {{{{"a"}, {QString(200, 'b')}}}};
  table.reset(sheet);
  EXPECT_LT(view.columnWidth(0), 200);
  EXPECT_EQ(shownPx(), view.viewport()->width());
  std::swap(sheet.lines[0].cells[0], sheet.lines[0].cells[1]);
  table.reset(sheet);
  EXPECT_LT(view.columnWidth(1), 200);
  sheet.lines[0].cells[1] = sheet.lines[0].cells[0];
  table.reset(sheet);
  EXPECT_NEAR(view.columnWidth(0), view.columnWidth(1), 1);
}

TEST_F(SheetViewTest, MayBeWiderThanItsRoomWithoutAWideColumn) {
  Sheet sheet = fruits();
  for (SheetColumn& column : sheet.columns) column = {column.title, column.kind};
  table.reset(std::move(sheet));
  view.resize(200, 300);
  EXPECT_GT(shownPx(), view.viewport()->width());
  EXPECT_EQ(view.horizontalScrollBarPolicy(), Qt::ScrollBarAsNeeded);
}

TEST(CellTreeViewTest, BearsToHaveNoModel) {
  CellTreeView view("Tree");
  view.resize(300, 200);
  view.show();
  CellTree tree;
  view.setModel(&tree);
  TreeContent content;
  content.columns = {{"Name"}};
  content.nodes = {{TreeNode::kNoParent, {{"step"}}}};
  tree.reset(content);
  EXPECT_GT(view.columnWidth(0), 0);
}

}  // namespace
}  // namespace jitscope::gui
