#pragma once

#include <QAbstractItemModel>
#include <vector>

#include "gui/models/sheet.h"

namespace jitscope::gui {

/// A row of a tree; parents stand before their children.
struct TreeNode {
  static constexpr size_t kNoParent = static_cast<size_t>(-1);
  size_t parent = kNoParent;
  std::vector<SheetCell> cells;
};

/// A tree made elsewhere, on a worker too.
struct TreeContent {
  std::vector<SheetColumn> columns;
  std::vector<TreeNode> nodes;
};

/// Shows a TreeContent, in its order; by `CellRole`.
class CellTree final : public QAbstractItemModel {
  Q_OBJECT
 public:
  explicit CellTree(QObject* parent = nullptr);

  void reset(TreeContent content);
  /// Which node of the content an index shows.
  static size_t node(const QModelIndex& index) { return static_cast<size_t>(index.internalId()); }
  QModelIndex indexOf(size_t node) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const std::vector<size_t>& childrenOf(const QModelIndex& parent) const;

  TreeContent content_;
  std::vector<std::vector<size_t>> children_;  ///< of each node; those without a parent at the end
  std::vector<int> rows_;                      ///< of each node, under its parent
};

}  // namespace jitscope::gui
