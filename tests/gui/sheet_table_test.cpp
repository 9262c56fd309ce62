#include "gui/models/sheet_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "tests/gui/printed_table.h"

namespace jitscope::gui {
namespace {

Sheet smallSheet() {
  Sheet sheet;
  sheet.columns = {{"What", ColumnKind::kCode, true}, {"Time", ColumnKind::kNumber}};
  sheet.lines = {{{{"b", {}, Category::kBreak}, {"900 ns", 900}}},
                 {{{"a"}, {"–"}}, true},
                 {{{"c"}, {"1.00 µs", 1'000}}}};
  return sheet;
}

TEST(SheetTable, HoldsWhatModelsMustHold) {
  SheetTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  table.reset(smallSheet());
  table.sort(1, Qt::DescendingOrder);
  table.showFaint(false);
  table.sort(0, Qt::AscendingOrder);
  table.showFaint(true);
  table.reset(Sheet());
  EXPECT_EQ(table.columnCount(), 0);
}

TEST(SheetTable, SortsByNumbersAndNotByTheirTexts) {
  SheetTable table;
  table.reset(smallSheet());
  EXPECT_EQ(printed(table), "b | 900 ns\na | –\nc | 1.00 µs\n");
  table.sort(1, Qt::AscendingOrder);
  EXPECT_EQ(printed(table), "b | 900 ns\nc | 1.00 µs\na | –\n");
  table.sort(0, Qt::DescendingOrder);
  EXPECT_EQ(printed(table), "c | 1.00 µs\nb | 900 ns\na | –\n");
  EXPECT_EQ(table.lineAt(0), 2U);
  table.sort(-1, Qt::DescendingOrder);
  EXPECT_EQ(table.lineAt(0), 0U) << "its own order again";
}

TEST(SheetTable, PutsWhatHasNoNumberAtTheEndEitherWay) {
  SheetTable table;
  table.reset(smallSheet());
  table.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(printed(table), "c | 1.00 µs\nb | 900 ns\na | –\n");
}

TEST(SheetTable, TellsHowCellsAndColumnsLook) {
  SheetTable table;
  table.reset(smallSheet());
  EXPECT_EQ(table.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), "Time");
  EXPECT_EQ(table.headerData(1, Qt::Horizontal, kColumnKindRole).toInt(),
            static_cast<int>(ColumnKind::kNumber));
  EXPECT_TRUE(table.headerData(0, Qt::Horizontal, kColumnIsWideRole).toBool());
  EXPECT_EQ(table.index(0, 0).data(kCellDotRole).toInt(), static_cast<int>(Category::kBreak));
  EXPECT_FALSE(table.index(2, 0).data(kCellDotRole).isValid());
  EXPECT_EQ(table.index(0, 1).data(kCellNumberRole).toDouble(), 900);
  EXPECT_FALSE(table.index(1, 1).data(kCellNumberRole).isValid());
  EXPECT_TRUE(table.index(1, 0).data(kCellIsFaintRole).toBool());
  EXPECT_FALSE(table.index(0, 1).data(kCellIsFaintRole).toBool());
}

TEST(SheetTable, ShowsTextsAsTheyAreInToolTips) {
  Sheet sheet;
  sheet.columns = {{"What"}};
  sheet.lines = {{{{"\"a\" & <img src='x'>\nb"}}}, {{{""}}}};
  SheetTable table;
  table.reset(std::move(sheet));
  // Without the outer tag Qt would show the escapes.
  EXPECT_EQ(table.index(0, 0).data(Qt::ToolTipRole).toString(),
            "<qt>&quot;a&quot; &amp; &lt;img src='x'&gt;<br>b</qt>");
  EXPECT_EQ(table.index(1, 0).data(Qt::ToolTipRole).toString(), "");
}

TEST(SheetTable, LeavesOutFaintLines) {
  SheetTable table;
  table.reset(smallSheet());
  table.showFaint(false);
  EXPECT_EQ(printed(table), "b | 900 ns\nc | 1.00 µs\n");
  table.showFaint(true);
  EXPECT_EQ(table.rowCount(), 3);
}

TEST(SheetTable, KeepsPersistentIndexesOnTheirLineWhenSorting) {
  SheetTable table;
  table.reset(smallSheet());
  const QPersistentModelIndex c = table.index(2, 0);
  table.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(c.row(), 0) << "what is selected stays selected";
  EXPECT_EQ(c.data().toString(), "c");
}

}  // namespace
}  // namespace jitscope::gui
