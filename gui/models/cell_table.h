#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>
#include <optional>
#include <vector>

#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// One cell: what it shows, and what it sorts by.
struct Cell {
  QString text;
  double number = 0;  ///< what columns of numbers sort by; in others free for the maker
  std::optional<Category> category = {};  ///< the colour of a dot before the text
};

/// One column of a table.
struct CellColumn {
  enum class Kind { kText, kCode, kNumber };
  QString title;
  Kind kind = Kind::kText;
  bool isWide = false;  ///< gets what the others leave
};

/// A table made elsewhere, on a worker too; every row has a cell for each column.
struct CellContent {
  std::vector<CellColumn> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Shows a CellContent, and sorts it: by the numbers in columns of numbers, else by the text. For
/// tables of things that a person reads (causes, guards, entries), not of events.
class CellTable final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { kNumberRole = Qt::UserRole, kCategoryRole, kKindRole, kWideRole };

  explicit CellTable(QObject* parent = nullptr);

  /// Shows another content, in its own order.
  void reset(CellContent content);
  /// Which row of the content a row of the sorted table shows.
  size_t sourceRow(int row) const { return order_[static_cast<size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// Column -1: the content's own order.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

 private:
  CellContent content_;
  std::vector<size_t> order_;
};

/// What a model gives for a cell and for the head of its column, by the roles of CellTable.
QVariant cellData(const Cell& cell, const CellColumn& column, int role);
QVariant columnData(const CellColumn& column, int role);

/// The table as lines of cells with " | " between: for the clipboard and for tests.
QString tableText(const QAbstractItemModel& table);

}  // namespace jitscope::gui
