#include "gui/models/cell_table.h"

#include <algorithm>
#include <numeric>

#include "gui/models/tool_tip.h"

namespace jitscope::gui {

CellTable::CellTable(QObject* parent) : QAbstractTableModel(parent) {}

void CellTable::reset(CellContent content) {
  beginResetModel();
  content_ = std::move(content);
  order_.resize(content_.rows.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  endResetModel();
}

int CellTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int CellTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(content_.columns.size());
}

QVariant CellTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto at = static_cast<size_t>(index.column());
  return cellData(content_.rows[sourceRow(index.row())][at], content_.columns[at], role);
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const {
  const auto at = static_cast<size_t>(section);
  if (orientation != Qt::Horizontal || at >= content_.columns.size()) return {};
  return columnData(content_.columns[at], role);
}

QVariant cellData(const Cell& cell, const CellColumn& column, int role) {
  switch (role) {
    case Qt::DisplayRole:
      return cell.text;
    case Qt::ToolTipRole:
      return toolTipOf(cell.text);
    case CellTable::kNumberRole:
      return cell.number;
    case CellTable::kCategoryRole:
      return cell.category ? QVariant(static_cast<int>(*cell.category)) : QVariant();
    default:
      return columnData(column, role);
  }
}

QVariant columnData(const CellColumn& column, int role) {
  const bool isNumber = column.kind == CellColumn::Kind::kNumber;
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::TextAlignmentRole:
      return static_cast<int>((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case CellTable::kKindRole:
      return static_cast<int>(column.kind);
    case CellTable::kWideRole:
      return column.isWide;
    default:
      return {};
  }
}

void CellTable::sort(int column, Qt::SortOrder order) {
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const std::vector<size_t> before = order_;
  std::iota(order_.begin(), order_.end(), size_t{0});
  const auto at = static_cast<size_t>(column);
  if (column >= 0 && at < content_.columns.size()) {
    const bool isNumber = content_.columns[at].kind == CellColumn::Kind::kNumber;
    const auto isLess = [&](size_t a, size_t b) {
      const Cell& left = content_.rows[order == Qt::AscendingOrder ? a : b][at];
      const Cell& right = content_.rows[order == Qt::AscendingOrder ? b : a][at];
      return isNumber ? left.number < right.number : left.text.compare(right.text) < 0;
    };
    std::stable_sort(order_.begin(), order_.end(), isLess);
  }
  std::vector<int> place(order_.size());
  for (size_t row = 0; row < order_.size(); ++row) place[order_[row]] = static_cast<int>(row);
  const QModelIndexList old = persistentIndexList();
  QModelIndexList moved;
  for (const QModelIndex& each : old) {
    moved << index(place[before[static_cast<size_t>(each.row())]], each.column());
  }
  changePersistentIndexList(old, moved);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

QString tableText(const QAbstractItemModel& table) {
  QString text;
  for (int row = -1; row < table.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column) {
      cells << (row < 0 ? table.headerData(column, Qt::Horizontal)
                        : table.index(row, column).data())
                   .toString();
    }
    text += cells.join(" | ") + "\n";
  }
  return text;
}

}  // namespace jitscope::gui
