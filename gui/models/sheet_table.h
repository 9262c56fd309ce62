#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "gui/models/sheet.h"

namespace jitscope::gui {

/// A sheet as a table that sorts itself, and that can leave out its faint lines. Numbers sort by
/// their size, texts by letter; what has no number comes last either way.
class SheetTable final : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit SheetTable(QObject* parent = nullptr);

  /// Shows another sheet, its lines as they stand in it.
  void reset(std::shared_ptr<const Sheet> sheet);
  void reset(Sheet sheet) { reset(std::make_shared<const Sheet>(std::move(sheet))); }
  const Sheet& sheet() const { return *sheet_; }

  /// Whether faint lines are shown, too. They are, if nobody says otherwise.
  void showFaint(bool isShown);

  /// The line of a row, as its position in the sheet.
  size_t lineAt(int row) const { return order_[static_cast<size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// Column -1: as the lines stand in the sheet.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 signals:
  /// Another sheet is shown, by no order and perhaps with other columns.
  void sheetChanged();

 private:
  void order();

  std::shared_ptr<const Sheet> sheet_;
  std::vector<size_t> order_;
  int sortColumn_ = -1;
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
  bool showsFaint_ = true;
};

}  // namespace jitscope::gui
