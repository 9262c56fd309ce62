#pragma once

#include <QTableView>

namespace jitscope::gui {

/// Shows a CellTable: columns as wide as what stands in them, the wide ones get the rest. The keys
/// 1 to 9 sort, Enter chooses.
class CellTableView final : public QTableView {
  Q_OBJECT
 public:
  explicit CellTableView(const QString& name, QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;

 signals:
  /// Another row has become the current one; of the sorted table.
  void rowSelected(int row);
  /// Enter or a double click.
  void rowChosen(int row);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  void fitColumns();
};

}  // namespace jitscope::gui
