#include "gui/models/kernel_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/cell_roles.h"
#include "tests/gui/printed_table.h"

namespace jitscope::gui {
namespace {

KernelLine line(const QString& name, const QString& origin, int64_t count, int64_t totalNs) {
  KernelLine made;
  made.name = name;
  made.kind = "kernel";
  made.origin = origin;
  made.category = origin == "eager" ? Category::kEager : Category::kCompiled;
  made.count = count;
  made.totalNs = totalNs;
  made.meanNs = totalNs / count;
  made.maxNs = totalNs / 2;
  return made;
}

std::shared_ptr<KernelLines> threeLines() {
  auto lines = std::make_shared<KernelLines>();
  lines->list = {line("triton_fused_add_0", "compiled", 4, 8'000), line("gemm", "eager", 1, 900),
                 line("Softmax", "eager", 2, 100)};
  lines->list[0].graph = "0/1";
  lines->list[0].modelledBytes = 2'000'000;
  lines->list[0].bytesPerSecond = 1.5e12;
  lines->list[0].peakShare = 0.31;
  lines->list[1].op = "aten::mm";
  for (const KernelLine& each : lines->list)
    lines->filter.add(each.name + ' ' + each.origin + ' ' + each.graph + ' ' + each.op);
  return lines;
}

QString nameAt(const KernelTable& table, int row) { return table.index(row, 0).data().toString(); }

TEST(KernelTable, HoldsWhatModelsMustHold) {
  KernelTable table;
  const QAbstractItemModelTester tester(&table,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  table.reset(threeLines());
  table.sort(KernelTable::kName, Qt::AscendingOrder);
  table.filterBy("eager");
  table.sort(KernelTable::kCount, Qt::DescendingOrder);
  table.filterBy({});
  table.reset(std::make_shared<KernelLines>());
  EXPECT_EQ(table.rowCount(), 0);
}

TEST(KernelTable, ShowsNumbersWithUnitsAndNothingWhereThereIsNone) {
  KernelTable table;
  table.reset(threeLines());
  EXPECT_EQ(printed(table),
            "triton_fused_add_0 | kernel | compiled | 0/1 | – | 4 | 8.00 µs | 2.00 µs | 4.00 µs | "
            "2.00 MB | – | – | 1,500 | 31.0 %\n"
            "gemm | kernel | eager | – | aten::mm | 1 | 900 ns | 900 ns | 450 ns | – | – | – | – | "
            "–\n"
            "Softmax | kernel | eager | – | – | 2 | 100 ns | 50 ns | 50 ns | – | – | – | – | –\n");
  EXPECT_TRUE(table.hasColumn(KernelTable::kModelled));
  EXPECT_FALSE(table.hasColumn(KernelTable::kSampled));
  EXPECT_TRUE(table.index(1, KernelTable::kModelled).data(kCellIsFaintRole).toBool());
}

TEST(KernelTable, ShowsOnlyLinesThatHoldAllWordsWhateverTheirCase) {
  KernelTable table;
  table.reset(threeLines());
  table.filterBy("EAGER soft");
  ASSERT_EQ(table.rowCount(), 1);
  EXPECT_EQ(nameAt(table, 0), "Softmax");
  EXPECT_EQ(table.lineAt(0), 2U);
  EXPECT_EQ(table.rowOf(0), -1);
  table.filterBy("aten::mm");
  EXPECT_EQ(nameAt(table, 0), "gemm");
  table.filterBy("no such");
  EXPECT_EQ(table.rowCount(), 0);
  table.filterBy("  ");
  EXPECT_EQ(table.rowCount(), 3);
}

TEST(KernelTable, SortsByNumbersWithWhatHasNoneAtTheEnd) {
  KernelTable table;
  table.reset(threeLines());
  table.sort(KernelTable::kCount, Qt::AscendingOrder);
  EXPECT_EQ(nameAt(table, 0), "gemm");
  EXPECT_EQ(nameAt(table, 2), "triton_fused_add_0");
  for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    table.sort(KernelTable::kRate, order);
    EXPECT_EQ(nameAt(table, 0), "triton_fused_add_0");
  }
}

TEST(KernelTable, KeepsPersistentIndexesAndTheFilterWhenSorting) {
  KernelTable table;
  table.reset(threeLines());
  table.filterBy("eager");
  const QPersistentModelIndex gemm = table.index(0, 0);
  table.sort(KernelTable::kTotal, Qt::AscendingOrder);
  EXPECT_EQ(table.rowCount(), 2);
  EXPECT_EQ(gemm.data().toString(), "gemm");
  EXPECT_EQ(gemm.row(), 1);
}

TEST(KernelTable, FiltersManyLines) {
  auto lines = std::make_shared<KernelLines>();
  constexpr size_t kLines = 100'000;
  lines->list.resize(kLines);
  for (size_t i = 0; i < kLines; ++i) lines->filter.add(QString("kernel_%1_of").arg(i));
  KernelTable table;
  table.reset(lines);
  table.filterBy("999_of");
  EXPECT_EQ(table.rowCount(), 100);
  EXPECT_EQ(table.lineAt(0), 999U);
  table.filterBy("_9999 ");
  EXPECT_EQ(table.rowCount(), 1 + 10);
}

}  // namespace
}  // namespace jitscope::gui
