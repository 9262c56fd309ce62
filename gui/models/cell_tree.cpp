#include "gui/models/cell_tree.h"

namespace jitscope::gui {

CellTree::CellTree(QObject* parent) : QAbstractItemModel(parent), children_(1) {}

void CellTree::reset(TreeContent content) {
  beginResetModel();
  content_ = std::move(content);
  const size_t count = content_.nodes.size();
  children_.assign(count + 1, {});
  rows_.assign(count, 0);
  for (size_t node = 0; node < count; ++node) {
    const size_t parent = content_.nodes[node].parent;
    std::vector<size_t>& siblings = children_[parent == TreeNode::kNoParent ? count : parent];
    rows_[node] = static_cast<int>(siblings.size());
    siblings.push_back(node);
  }
  endResetModel();
}

const std::vector<size_t>& CellTree::childrenOf(const QModelIndex& parent) const {
  return children_[parent.isValid() ? node(parent) : content_.nodes.size()];
}

QModelIndex CellTree::indexOf(size_t node) const {
  return node < content_.nodes.size() ? createIndex(rows_[node], 0, node) : QModelIndex();
}

QModelIndex CellTree::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, childrenOf(parent)[static_cast<size_t>(row)]);
}

QModelIndex CellTree::parent(const QModelIndex& child) const {
  return child.isValid() ? indexOf(content_.nodes[node(child)].parent) : QModelIndex();
}

int CellTree::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int CellTree::columnCount(const QModelIndex&) const {
  return static_cast<int>(content_.columns.size());
}

QVariant CellTree::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const std::vector<SheetCell>& cells = content_.nodes[node(index)].cells;
  const auto at = static_cast<size_t>(index.column());
  return cellData(at < cells.size() ? cells[at] : SheetCell{}, content_.columns[at], role);
}

QVariant CellTree::headerData(int section, Qt::Orientation orientation, int role) const {
  const auto at = static_cast<size_t>(section);
  if (orientation != Qt::Horizontal || at >= content_.columns.size()) return {};
  return columnData(content_.columns[at], role);
}

}  // namespace jitscope::gui
