#include "gui/models/cell_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/models/cell_tree.h"

namespace jitscope::gui {
namespace {

CellContent fruits() {
  using Kind = CellColumn::Kind;
  return {{{"Name", Kind::kText, true}, {"Count", Kind::kNumber}},
          {{{"pear", 0, Category::kBreak}, {"1,000", 1000}},
           {{"apple"}, {"9", 9}},
           {{"fig"}, {"200", 200}}}};
}

TEST(CellTable, ShowsItsContentInItsOrder) {
  CellTable table;
  QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(tableText(table), "\n");
  table.reset(fruits());
  EXPECT_EQ(tableText(table), "Name | Count\npear | 1,000\napple | 9\nfig | 200\n");
  EXPECT_EQ(table.index(0, 0).data(CellTable::kCategoryRole).toInt(),
            static_cast<int>(Category::kBreak));
  EXPECT_FALSE(table.index(1, 0).data(CellTable::kCategoryRole).isValid());
}

TEST(CellTable, SortsNumbersByValueAndTextsByLetter) {
  CellTable table;
  QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
  table.reset(fruits());
  const QPersistentModelIndex pear = table.index(0, 0);
  table.sort(1, Qt::AscendingOrder);
  EXPECT_EQ(tableText(table), "Name | Count\napple | 9\nfig | 200\npear | 1,000\n");
  EXPECT_EQ(pear.row(), 2) << "what is selected stays selected";
  EXPECT_EQ(table.sourceRow(0), 1U);
  table.sort(0, Qt::DescendingOrder);
  EXPECT_EQ(tableText(table), "Name | Count\npear | 1,000\nfig | 200\napple | 9\n");
  table.sort(-1, Qt::DescendingOrder);
  EXPECT_EQ(table.sourceRow(1), 1U) << "its own order again";
}

TEST(CellTable, TakesNoTextForMarkup) {
  CellTable table;
  table.reset({{{"Name"}}, {{{"<img src='x'>\nb"}}, {{""}}}});
  EXPECT_EQ(table.index(0, 0).data(Qt::ToolTipRole).toString(),
            "<qt>&lt;img src='x'&gt;<br>b</qt>");
  EXPECT_EQ(table.index(1, 0).data(Qt::ToolTipRole).toString(), "");
}

/// The tree as indented lines.
QString treeText(const QAbstractItemModel& tree, const QModelIndex& parent = {},
                 const QString& indent = {}) {
  QString text;
  for (int row = 0; row < tree.rowCount(parent); ++row) {
    QStringList cells;
    for (int column = 0; column < tree.columnCount(parent); ++column) {
      cells << tree.index(row, column, parent).data().toString();
    }
    text += indent + cells.join(" | ") + "\n";
    text += treeText(tree, tree.index(row, 0, parent), indent + "  ");
  }
  return text;
}

TEST(CellTree, ShowsNodesUnderTheirParents) {
  CellTree tree;
  QAbstractItemModelTester tester(&tree, QAbstractItemModelTester::FailureReportingMode::Fatal);
  TreeContent content;
  content.columns = {{"Name"}, {"Calls", CellColumn::Kind::kNumber}};
  content.nodes = {{TreeNode::kNoParent, {{"step"}, {"12", 12}}},
                   {0, {{"0/0"}, {"4", 4}}},
                   {TreeNode::kNoParent, {{"decode"}, {"7", 7}}},
                   {0, {{"0/1"}}},
                   {3, {{"guards"}}}};
  tree.reset(content);
  EXPECT_EQ(treeText(tree),
            "step | 12\n"
            "  0/0 | 4\n"
            "  0/1 | \n"
            "    guards | \n"
            "decode | 7\n");
  EXPECT_EQ(CellTree::node(tree.indexOf(4)), 4U);
  EXPECT_EQ(tree.indexOf(4).parent().data().toString(), "0/1");
  tree.reset({});
  EXPECT_EQ(tree.rowCount(), 0);
}

}  // namespace
}  // namespace jitscope::gui
