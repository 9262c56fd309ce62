#include "gui/models/sheet_table.h"

#include <algorithm>

#include "gui/models/cell_roles.h"
#include "gui/models/tool_tip.h"

namespace jitscope::gui {
namespace {

/// Numbers before texts, and those by their size.
bool comesBefore(const SheetCell& left, const SheetCell& right) {
  if (left.number && right.number) return *left.number < *right.number;
  if (left.number || right.number) return left.number.has_value();
  return left.text < right.text;
}

}  // namespace

SheetTable::SheetTable(QObject* parent)
    : QAbstractTableModel(parent), sheet_(std::make_shared<Sheet>()) {}

void SheetTable::reset(std::shared_ptr<const Sheet> sheet) {
  beginResetModel();
  sheet_ = std::move(sheet);
  sortColumn_ = -1;
  order();
  endResetModel();
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
  const auto column = static_cast<size_t>(index.column());
  const SheetLine& shown = line(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return shown.cells[column].text;
    case Qt::ToolTipRole:
      return sheet_->columns[column].isNumber ? QVariant()
                                              : QVariant(toolTipOf(shown.cells[column].text));
    case Qt::TextAlignmentRole:
      return headerData(index.column(), Qt::Horizontal, role);
    case kCellIsFaintRole:
      return shown.isFaint || shown.cells[column].text == "–";
    case kCellIsWordRole:
      return sheet_->columns[column].isWord;
    default:
      return {};
  }
}

QVariant SheetTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const SheetColumn& column = sheet_->columns[static_cast<size_t>(section)];
  if (role == Qt::DisplayRole) return column.title;
  if (role == Qt::ToolTipRole) return column.meaning;
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue(Qt::AlignVCenter |
                               (column.isNumber ? Qt::AlignRight : Qt::AlignLeft));
  return {};
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
    const SheetCell& left = sheet_->lines[isUp ? a : b].cells[column];
    return comesBefore(left, sheet_->lines[isUp ? b : a].cells[column]);
  });
}

}  // namespace jitscope::gui
