#pragma once

#include <QTableView>
#include <vector>

namespace jitscope::gui {

/// A table of a page: sorts by a click on a heading or by a digit, copies the selected lines
/// (Ctrl+C) with tabs between the cells, and cuts no number. `CellRole` tells how cells look.
class SheetView final : public QTableView {
  Q_OBJECT
 public:
  explicit SheetView(QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;

  /// Which column takes the room that is left (none: there may be more columns than room), and
  /// which go, in this order, where room is short.
  void setElastic(int stretched, std::vector<int> expendable);
  /// A column that has nothing to show.
  void setUnused(int column, bool isUnused);
  /// Makes columns as wide as what stands in them.
  void measureColumns();

  /// The selected lines, or all without any, with the headings in front.
  QString selectedText() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fitColumns();
  /// Those that have nothing to show, or no room.
  std::vector<bool> hiddenColumns() const;
  void sortByNumber(int column);

  std::vector<int> widths_;  ///< that each column needs; 0: unused
  std::vector<bool> isUnused_;
  std::vector<int> expendable_;
  int stretched_ = -1;
};

}  // namespace jitscope::gui
