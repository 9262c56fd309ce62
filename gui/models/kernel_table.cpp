#include "gui/models/kernel_table.h"

#include <algorithm>
#include <numeric>

#include "gui/models/cell_roles.h"
#include "gui/models/number_text.h"
#include "gui/models/tool_tip.h"

namespace jitscope::gui {
namespace {

bool isText(int column) { return column <= KernelTable::kOperator; }

ColumnKind kindOf(int column) {
  if (column == KernelTable::kKind || column == KernelTable::kOrigin) return ColumnKind::kText;
  return isText(column) ? ColumnKind::kCode : ColumnKind::kNumber;
}

/// When a column goes where room is short. What others tell goes first: the mean follows from count
/// and total, the graph from the origin.
QVariant turnOf(int column) {
  static constexpr int kTurns[] = {KernelTable::kOperator, KernelTable::kKind, KernelTable::kMean,
                                   KernelTable::kGraph, KernelTable::kExact};
  const auto* found = std::find(std::begin(kTurns), std::end(kTurns), column);
  return found == std::end(kTurns) ? QVariant()
                                   : QVariant(static_cast<int>(found - std::begin(kTurns)));
}

QString textCell(const KernelLine& line, int column) {
  switch (column) {
    case KernelTable::kName:
      return line.name;
    case KernelTable::kKind:
      return line.kind;
    case KernelTable::kOrigin:
      return line.origin;
    case KernelTable::kGraph:
      return line.graph;
    default:
      return line.op;
  }
}

template <class Number>
std::optional<double> asDouble(const std::optional<Number>& number) {
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

/// What a column of numbers sorts by; none where the line has no such number.
std::optional<double> number(const KernelLine& line, int column) {
  switch (column) {
    case KernelTable::kCount:
      return static_cast<double>(line.count);
    case KernelTable::kTotal:
      return static_cast<double>(line.totalNs);
    case KernelTable::kMean:
      return static_cast<double>(line.meanNs);
    case KernelTable::kMax:
      return static_cast<double>(line.maxNs);
    case KernelTable::kModelled:
      return asDouble(line.modelledBytes);
    case KernelTable::kSampled:
      return asDouble(line.sampledBytes);
    case KernelTable::kExact:
      return asDouble(line.exactBytes);
    case KernelTable::kRate:
      return line.bytesPerSecond;
    default:
      return line.peakShare;
  }
}

QString bytesCell(const std::optional<int64_t>& bytes) {
  return bytes ? bytesText(*bytes) : QString();
}

QString shownCell(const KernelLine& line, int column) {
  constexpr double kBytesPerGigabyte = 1e9;
  switch (column) {
    case KernelTable::kCount:
      return countText(line.count);
    case KernelTable::kTotal:
      return durationText(line.totalNs);
    case KernelTable::kMean:
      return durationText(line.meanNs);
    case KernelTable::kMax:
      return durationText(line.maxNs);
    case KernelTable::kModelled:
      return bytesCell(line.modelledBytes);
    case KernelTable::kSampled:
      return bytesCell(line.sampledBytes);
    case KernelTable::kExact:
      return bytesCell(line.exactBytes);
    case KernelTable::kRate:
      return line.bytesPerSecond ? countText(qRound64(*line.bytesPerSecond / kBytesPerGigabyte))
                                 : QString();
    case KernelTable::kPeakShare:
      return line.peakShare ? percentText(*line.peakShare) : QString();
    default:
      return textCell(line, column);
  }
}

QString titleOf(int column, const KernelLines* lines) {
  static constexpr const char* kTitles[KernelTable::kColumnCount] = {
      "Kernel", "Kind", "Origin",   "Graph",   "Operator", "Count", "Total",
      "Mean",   "Max",  "Modelled", "Sampled", "Exact",    "GB/s",  "Of peak"};
  if (column == KernelTable::kName && lines != nullptr && lines->areOperators) return "Operator";
  return kTitles[column];
}

/// What a heading means, where the word alone does not say it.
QString meaningOf(int column, const KernelLines* lines) {
  const QString source = lines == nullptr ? QString() : lines->rateSource;
  switch (column) {
    case KernelTable::kGraph:
      return "The compiled graph that launched it, as its compile id";
    case KernelTable::kModelled:
      return "Bytes of one kernel on average, by the shapes of its inputs and outputs";
    case KernelTable::kSampled:
      return "Bytes of one kernel on average, by samples of the device's counters";
    case KernelTable::kExact:
      return "Bytes of one kernel on average, as the range profiler measured them";
    case KernelTable::kRate:
      return "By the " + source + " bytes";
    case KernelTable::kPeakShare:
      return "Of the device memory's rate by its data sheet, by the " + source + " bytes";
    default:
      return {};
  }
}

}  // namespace

QString cellText(const KernelLine& line, int column) {
  const QString text = shownCell(line, column);
  return text.isEmpty() ? kNoValue : text;
}

KernelTable::KernelTable(QObject* parent)
    : QAbstractTableModel(parent),
      lines_(std::make_shared<KernelLines>()),
      has_(kColumnCount, false) {}

void KernelTable::reset(std::shared_ptr<const KernelLines> lines) {
  beginResetModel();
  lines_ = std::move(lines);
  order();
  findColumns();
  show();
  endResetModel();
}

void KernelTable::filterBy(const QString& wanted) {
  if (wanted == wanted_) return;
  beginResetModel();
  wanted_ = wanted;
  show();
  endResetModel();
}

int KernelTable::rowOf(size_t line) const {
  const auto found = std::find(shown_.begin(), shown_.end(), line);
  return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

int KernelTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int KernelTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumnCount;
}

QVariant KernelTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const KernelLine& line = lines_->list[lineAt(index.row())];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return cellText(line, column);
    case Qt::ToolTipRole:
      return column == kName || column == kOperator ? QVariant(toolTipOf(textCell(line, column)))
                                                    : QVariant();
    case kCellIsFaintRole:
      return shownCell(line, column).isEmpty();
    case kCellCategoryRole:
      return column == kOrigin ? QVariant(static_cast<int>(line.category)) : QVariant();
    case kCellShareRole:
      return column == kPeakShare && line.peakShare ? QVariant(*line.peakShare) : QVariant();
    default:
      return {};
  }
}

QVariant KernelTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) return {};
  switch (role) {
    case Qt::DisplayRole:
      return titleOf(section, lines_.get());
    case Qt::ToolTipRole:
      return meaningOf(section, lines_.get());
    case kColumnKindRole:
      return static_cast<int>(kindOf(section));
    case kColumnIsWideRole:
      return section == kName;
    case kColumnTurnRole:
      return turnOf(section);
    case kColumnIsUnusedRole:
      return !hasColumn(section);
    default:
      return {};
  }
}

void KernelTable::sort(int column, Qt::SortOrder sortOrder) {
  if (column >= kColumnCount || (column == sortColumn_ && sortOrder == sortOrder_)) return;
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList from = persistentIndexList();
  const std::vector<size_t> before = shown_;
  sortColumn_ = column;
  sortOrder_ = sortOrder;
  order();
  show();
  if (!from.isEmpty()) {
    std::vector<int> rowOfLine(lines_->list.size(), -1);
    for (size_t row = 0; row < shown_.size(); ++row) rowOfLine[shown_[row]] = static_cast<int>(row);
    QModelIndexList to;
    for (const QModelIndex& old : from)
      to.append(index(rowOfLine[before[static_cast<size_t>(old.row())]], old.column()));
    changePersistentIndexList(from, to);
  }
  Q_EMIT layoutChanged();
}

void KernelTable::show() {
  const std::vector<bool> passes = lines_->filter.matching(wanted_);
  shown_.clear();
  for (const size_t line : order_) {
    if (passes[line]) shown_.push_back(line);
  }
}

void KernelTable::order() {
  const std::vector<KernelLine>& list = lines_->list;
  order_.resize(list.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  if (sortColumn_ < 0) return;
  const bool isUp = sortOrder_ == Qt::AscendingOrder;
  if (isText(sortColumn_)) {
    std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
      const QString left = textCell(list[isUp ? a : b], sortColumn_);
      return left < textCell(list[isUp ? b : a], sortColumn_);
    });
    return;
  }
  // What has no number comes last either way.
  constexpr double kLast = -1;
  std::vector<double> keys;
  keys.reserve(list.size());
  for (const KernelLine& line : list) keys.push_back(number(line, sortColumn_).value_or(kLast));
  std::stable_sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
    if ((keys[a] < 0) != (keys[b] < 0)) return keys[b] < 0;
    return isUp ? keys[a] < keys[b] : keys[b] < keys[a];
  });
}

void KernelTable::findColumns() {
  std::fill(has_.begin(), has_.end(), false);
  for (const KernelLine& line : lines_->list) {
    for (int column = 0; column < kColumnCount; ++column) {
      const auto at = static_cast<size_t>(column);
      if (has_[at]) continue;
      has_[at] =
          isText(column) ? !textCell(line, column).isEmpty() : number(line, column).has_value();
    }
  }
}

}  // namespace jitscope::gui
