#include "gui/models/sheet_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "tests/gui/printed_table.h"

namespace jitscope::gui {
namespace {

std::shared_ptr<const Sheet> smallSheet() {
  auto sheet = std::make_shared<Sheet>();
  sheet->columns = {{"What", false, false, {}}, {"Time", true, false, {}}};
  sheet->lines = {{{{"b", {}}, {"900 ns", 900}}, false},
                  {{{"a", {}}, {"–", {}}}, true},
                  {{{"c", {}}, {"1.00 µs", 1'000}}, false}};
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
  table.reset(std::make_shared<Sheet>());
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
}

TEST(SheetTable, ShowsTextsAsTheyAreInToolTips) {
  auto sheet = std::make_shared<Sheet>();
  sheet->columns = {{"What", false, false, {}}};
  sheet->lines = {{{{"\"a\" & b", {}}}, false}};
  SheetTable table;
  table.reset(sheet);
  // Without the outer tag Qt would show the escapes.
  EXPECT_EQ(table.index(0, 0).data(Qt::ToolTipRole).toString(), "<qt>&quot;a&quot; &amp; b</qt>");
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
  EXPECT_EQ(c.data().toString(), "c");
}

}  // namespace
}  // namespace jitscope::gui
