#pragma once

#include <QTableView>
#include <vector>

namespace jitscope::gui {

/// A table of a page, drawn and divided into columns as `CellRole` tells. A click on a heading or a
/// digit sorts, Enter chooses, Ctrl+C copies the selected lines with tabs between the cells.
class SheetView final : public QTableView {
  Q_OBJECT
 public:
  /// `name` is for those who cannot see the table, and for tests.
  explicit SheetView(const QString& name, QWidget* parent = nullptr);

  /// A SheetTable's next sheet is shown in its own order, and measured.
  void setModel(QAbstractItemModel* model) override;

  /// Makes columns as wide as what stands in them.
  void measureColumns();

  /// The selected lines, or all without any, with the headings in front.
  QString selectedText() const;

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
  void showSheet();

  std::vector<int> needed_;  ///< width of each column, in pixels
};

}  // namespace jitscope::gui
