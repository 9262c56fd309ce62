#include "gui/models/sheet_table.h"

#include <algorithm>

namespace jitscope::gui {
SheetTable::SheetTable(QObject* parent)
    : QAbstractTableModel(parent), sheet_(std::make_shared<Sheet>()) {}

void SheetTable::reset(std::shared_ptr<const Sheet> sheet) {
  beginResetModel();
  sheet_ = std::move(sheet);
  sortColumn_ = -1;
  order();
  endResetModel();
  Q_EMIT sheetChanged();
}

void SheetTable::showFaint(bool isShown) {
  if (isShown == showsFaint_) return;
  beginResetModel();
  showsFaint_ = isShown;
  order();
  endResetModel();
}

int SheetTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int SheetTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(sheet_->columns.size());
}

QVariant SheetTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const SheetLine& line = sheet_->lines[lineAt(index.row())];
  if (role == kCellIsFaintRole && line.isFaint) return true;
  const auto column = static_cast<size_t>(index.column());
  return cellData(line.cells[column], sheet_->columns[column], role);
}

QVariant SheetTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  return columnData(sheet_->columns[static_cast<size_t>(section)], role);
}

void SheetTable::sort(int column, Qt::SortOrder sortOrder) {
  if (column >= columnCount()) return;
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList from = persistentIndexList();
  const std::vector<size_t> before = order_;
  sortColumn_ = column;
  sortOrder_ = sortOrder;
  order();
  std::vector<int> rowOfLine(sheet_->lines.size(), -1);
  for (size_t row = 0; row < order_.size(); ++row) rowOfLine[order_[row]] = static_cast<int>(row);
  QModelIndexList to;
  for (const QModelIndex& old : from)
    to.append(index(rowOfLine[before[static_cast<size_t>(old.row())]], old.column()));
  changePersistentIndexList(from, to);
  Q_EMIT layoutChanged();
}

void SheetTable::order() {
  order_.clear();
  for (size_t i = 0; i < sheet_->lines.size(); ++i) {
    if (showsFaint_ || !sheet_->lines[i].isFaint) order_.push_back(i);
  }
  if (sortColumn_ < 0) return;
  const auto column = static_cast<size_t>(sortColumn_);
  const bool isUp = sortOrder_ == Qt::AscendingOrder;
  std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
    const SheetCell& left = sheet_->lines[a].cells[column];
    const SheetCell& right = sheet_->lines[b].cells[column];
    if (left.number.has_value() != right.number.has_value()) return left.number.has_value();
    if (left.number) return isUp ? *left.number < *right.number : *right.number < *left.number;
    return isUp ? left.text < right.text : right.text < left.text;
  });
}

}  // namespace jitscope::gui
