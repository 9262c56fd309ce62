#include "gui/models/range_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/cell_roles.h"
#include "tests/gui/printed_table.h"
#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

void fill(RangeTable& table) {
  RangeStatistics wanted;
  wanted.range = {TimeRange{0, 1'000}, TimeRange{10'000, 10'800}};
  const auto timeline = smallTimeline();
  table.reset(timeline, rangeStatistics(*timeline, wanted));
}

TEST(RangeTable, HoldsWhatModelsMustHold) {
  RangeTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  fill(table);
  table.sort(RangeTable::kEagerSum, Qt::AscendingOrder);
  table.sort(RangeTable::kName, Qt::DescendingOrder);
  fill(table);
  EXPECT_EQ(table.rowCount(), 3);
}

TEST(RangeTable, PutsThePanesSideBySide) {
  RangeTable table;
  fill(table);
  EXPECT_EQ(printed(table),
            "aten::mm | operator | 1 | 400 ns | 400 ns | 40.0 % | 1 | 200 ns | 200 ns | 25.0 % | "
            "-200 ns\n"
            "aten::mul | operator | 2 | 300 ns | 150 ns | 30.0 % | 2 | 200 ns | 100 ns | 25.0 % | "
            "-100 ns\n"
            "graph break | graph break | – | – | – | – | 1 | 100 ns | 100 ns | 12.5 % | +100 ns\n");
}

TEST(RangeTable, SortsByNumbersAndNotByTheirTexts) {
  RangeTable table;
  fill(table);
  table.sort(RangeTable::kEagerMean, Qt::AscendingOrder);
  EXPECT_EQ(table.index(0, 0).data().toString(), "graph break");
  EXPECT_EQ(table.index(2, 0).data().toString(), "aten::mm");
  table.sort(RangeTable::kEagerMean, Qt::DescendingOrder);
  EXPECT_EQ(table.index(0, 0).data().toString(), "aten::mm");
}

TEST(RangeTable, KeepsPersistentIndexesOnTheirLineWhenSorting) {
  RangeTable table;
  fill(table);
  const QPersistentModelIndex mul = table.index(1, 0);
  table.sort(RangeTable::kName, Qt::DescendingOrder);
  EXPECT_EQ(mul.data().toString(), "aten::mul");
}

TEST(RangeTable, GivesRawNumbersBesideTexts) {
  RangeTable table;
  fill(table);
  EXPECT_EQ(table.index(1, RangeTable::kEagerSum).data(kCellNumberRole).toLongLong(), 300);
  EXPECT_DOUBLE_EQ(table.index(0, RangeTable::kEagerShare).data(kCellShareRole).toDouble(), 0.4);
}

}  // namespace
}  // namespace jitscope::gui
