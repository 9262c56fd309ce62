#include "gui/models/cell_tree.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QStringList>

namespace jitscope::gui {
namespace {

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
  content.columns = {{"Name"}, {"Calls", ColumnKind::kNumber}};
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
