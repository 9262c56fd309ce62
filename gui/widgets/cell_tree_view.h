#pragma once

#include <QTreeView>
#include <vector>

namespace jitscope::gui {

/// Shows a CellTree; the first column takes the branches.
class CellTreeView final : public QTreeView {
  Q_OBJECT
 public:
  explicit CellTreeView(const QString& name, QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;

 signals:
  void nodeSelected(const QModelIndex& index);
  /// Enter or a double click.
  void nodeChosen(const QModelIndex& index);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;

 private:
  void measureColumns();

  std::vector<int> needed_;  ///< width of each column, in pixels
};

}  // namespace jitscope::gui
