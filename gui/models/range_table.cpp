#include "gui/models/range_table.h"

#include <algorithm>
#include <numeric>

#include "gui/models/cell_roles.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

bool isShare(int column) {
  return column == RangeTable::kEagerShare || column == RangeTable::kCompiledShare;
}

size_t paneOf(int column) { return column >= RangeTable::kCompiledCount ? 1 : 0; }

ColumnKind kindOf(int column) {
  if (column == RangeTable::kName) return ColumnKind::kCode;
  return column == RangeTable::kKind ? ColumnKind::kText : ColumnKind::kNumber;
}

/// When a column goes where room is short, the same one of both panes. What others tell goes first:
/// means follow from count and sum, the kind is seen in the name, shares follow from the sum.
QVariant turnOf(int column) {
  switch (column) {
    case RangeTable::kEagerMean:
    case RangeTable::kCompiledMean:
      return 0;
    case RangeTable::kKind:
      return 1;
    case RangeTable::kEagerShare:
    case RangeTable::kCompiledShare:
      return 2;
    default:
      return {};
  }
}

double shareOf(const RangeStatistics& statistics, const RangeLine& line, size_t pane) {
  const auto& range = statistics.range[pane];
  if (!range || range->lengthNs() <= 0) return 0;
  return static_cast<double>(line.in[pane].sumNs) / static_cast<double>(range->lengthNs());
}

QString changeText(const RangeLine& line) {
  const int64_t changeNs = line.in[1].sumNs - line.in[0].sumNs;
  return (changeNs > 0 ? "+" : "") + durationText(changeNs);
}

}  // namespace

QString rowKindText(RowKind kind) {
  switch (kind) {
    case RowKind::kCompile:
      return "compilation";
    case RowKind::kCall:
      return "call";
    case RowKind::kRegion:
      return "graph break";
    case RowKind::kOperator:
      return "operator";
    case RowKind::kApi:
      return "API call";
    case RowKind::kKernel:
      return "kernel";
    case RowKind::kCopy:
      return "copy";
  }
  return {};
}

RangeTable::RangeTable(QObject* parent) : QAbstractTableModel(parent) {}

void RangeTable::reset(std::shared_ptr<const Timeline> timeline, RangeStatistics statistics) {
  beginResetModel();
  timeline_ = std::move(timeline);
  statistics_ = std::move(statistics);
  order();
  endResetModel();
}

const RangeLine& RangeTable::line(int row) const {
  return statistics_.lines[order_[static_cast<size_t>(row)]];
}

int RangeTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int RangeTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QVariant RangeTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RangeLine& shown = line(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(shown, index.column());
    case kCellNumberRole:
      return number(shown, index.column());
    case kCellIsFaintRole:
      return text(shown, index.column()) == kNoValue;
    case kCellCategoryRole:
      return index.column() == kKind ? QVariant(static_cast<int>(shown.category)) : QVariant();
    case kCellShareRole:
      return isShare(index.column()) ? number(shown, index.column()) : QVariant();
    case kCellShareCategoryRole:
      return static_cast<int>(paneOf(index.column()) == 0 ? Category::kEager : Category::kCompiled);
    default:
      return {};
  }
}

QVariant RangeTable::headerData(int section, Qt::Orientation orientation, int role) const {
  static constexpr const char* kTitles[kColumnCount] = {
      "Name", "Kind", "Count", "Sum", "Mean", "Share", "Count", "Sum", "Mean", "Share", "Change"};
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  if (role == Qt::DisplayRole) return kTitles[section];
  if (role == kColumnKindRole) return static_cast<int>(kindOf(section));
  if (role == kColumnIsWideRole) return section == kName;
  if (role == kColumnTurnRole) return turnOf(section);
  return {};
}

void RangeTable::sort(int column, Qt::SortOrder sortOrder) {
  if (column >= kColumnCount) return;
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList from = persistentIndexList();
  const std::vector<size_t> before = order_;
  sortColumn_ = column;
  sortOrder_ = sortOrder;
  order();
  std::vector<int> rowOfLine(order_.size());
  for (size_t row = 0; row < order_.size(); ++row) rowOfLine[order_[row]] = static_cast<int>(row);
  QModelIndexList to;
  for (const QModelIndex& old : from) {
    to.append(index(rowOfLine[before[static_cast<size_t>(old.row())]], old.column()));
  }
  changePersistentIndexList(from, to);
  Q_EMIT layoutChanged();
}

void RangeTable::order() {
  order_.resize(statistics_.lines.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  if (sortColumn_ < 0) return;
  const auto comesFirst = [&](size_t a, size_t b) {
    const RangeLine& left = statistics_.lines[sortOrder_ == Qt::AscendingOrder ? a : b];
    const RangeLine& right = statistics_.lines[sortOrder_ == Qt::AscendingOrder ? b : a];
    if (sortColumn_ <= kKind) return text(left, sortColumn_) < text(right, sortColumn_);
    return number(left, sortColumn_).toDouble() < number(right, sortColumn_).toDouble();
  };
  std::stable_sort(order_.begin(), order_.end(), comesFirst);
}

QVariant RangeTable::number(const RangeLine& line, int column) const {
  const NameSum& sum = line.in[paneOf(column)];
  switch (column) {
    case kEagerCount:
    case kCompiledCount:
      return static_cast<qint64>(sum.count);
    case kEagerSum:
    case kCompiledSum:
      return static_cast<qint64>(sum.sumNs);
    case kEagerMean:
    case kCompiledMean:
      return sum.meanNs();
    case kEagerShare:
    case kCompiledShare:
      return shareOf(statistics_, line, paneOf(column));
    case kChange:
      return static_cast<qint64>(line.in[1].sumNs - line.in[0].sumNs);
    default:
      return {};
  }
}

QString RangeTable::text(const RangeLine& line, int column) const {
  if (column == kName) return timeline_->nameOf(line.name);
  if (column == kKind) return rowKindText(line.kind);
  if (column == kChange) {
    return statistics_.range[0] && statistics_.range[1] ? changeText(line) : QString();
  }
  const NameSum& sum = line.in[paneOf(column)];
  if (sum.count == 0) return kNoValue;
  switch (column) {
    case kEagerCount:
    case kCompiledCount:
      return countText(sum.count);
    case kEagerSum:
    case kCompiledSum:
      return durationText(sum.sumNs);
    case kEagerMean:
    case kCompiledMean:
      return durationText(qRound64(sum.meanNs()));
    default:
      return percentText(shareOf(statistics_, line, paneOf(column)));
  }
}

}  // namespace jitscope::gui
