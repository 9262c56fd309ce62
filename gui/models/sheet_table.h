#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "gui/models/sheet.h"

namespace jitscope::gui {

/// A sheet as a table that sorts itself, and that can leave out its faint lines.
class SheetTable final : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit SheetTable(QObject* parent = nullptr);

  /// Shows another sheet, its lines as they stand in it.
  void reset(std::shared_ptr<const Sheet> sheet);
  const Sheet& sheet() const { return *sheet_; }

  /// Whether faint lines are shown, too. They are, if nobody says otherwise.
  void showFaint(bool isShown);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  const SheetLine& line(int row) const { return sheet_->lines[order_[static_cast<size_t>(row)]]; }
  void order();

  std::shared_ptr<const Sheet> sheet_;
  std::vector<size_t> order_;
  int sortColumn_ = -1;  ///< -1: as the lines stand in the sheet
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
  bool showsFaint_ = true;
};

}  // namespace jitscope::gui
