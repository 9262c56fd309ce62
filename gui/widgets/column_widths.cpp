#include "gui/widgets/column_widths.h"

#include <QAbstractItemModel>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "gui/widgets/cell_delegate.h"

namespace jitscope::gui {
namespace {

constexpr int kMostColumnPx = 460;      ///< of a column, where room is short
constexpr int kMostBesideWidePx = 260;  ///< where there is a column that makes use of the room
constexpr int kLeastWidePx = 170;
constexpr int kGoodWidePx = 400;  ///< for this columns go that others can do without
constexpr int kLeastTextPx = 72;
constexpr int kMeasuredRows = 300;
constexpr int kMeasuredParents = 20;
constexpr int kMostLetters = 400;  ///< much longer than any column; need not be measured
/// As wide as durations get.
constexpr const char* kUsualNumbers[] = {"3,600 s", "-999 µs"};

bool tells(const QAbstractItemModel& model, int column, CellRole role) {
  return model.headerData(column, Qt::Horizontal, role).toBool();
}

class Measure {
 public:
  Measure(const QAbstractItemModel& model, int column, int indentPx)
      : model_(model),
        column_(column),
        indentPx_(column == 0 ? indentPx : 0),
        metrics_(cellFont(columnKind(model, column))) {}

  /// With its title, and the margins around.
  int wholePx() const {
    // With the sign that says how a column is sorted.
    const QString title = model_.headerData(column_, Qt::Horizontal).toString() + " ▴";
    int width = QFontMetrics(cellTitleFont()).horizontalAdvance(title);
    width = std::max(width, cellsPx({}, indentPx_));
    // Of a long table numbers come into view that are not measured.
    if (model_.rowCount() > kMeasuredRows && columnKind(model_, column_) == ColumnKind::kNumber) {
      for (const char* usual : kUsualNumbers)
        width = std::max(width, metrics_.horizontalAdvance(usual));
    }
    return width + 2 * kCellMarginPx + 2;
  }

 private:
  int cellsPx(const QModelIndex& parent, int leftPx) const {
    int width = 0;
    for (int row = 0; row < std::min(kMeasuredRows, model_.rowCount(parent)); ++row) {
      const QModelIndex cell = model_.index(row, column_, parent);
      const int dotPx = cell.data(kCellDotRole).isValid() ? kCellDotPx : 0;
      const QString text = cell.data().toString().left(kMostLetters).simplified();
      width = std::max(width, leftPx + dotPx + metrics_.horizontalAdvance(text));
      if (row >= kMeasuredParents) continue;
      width = std::max(width, cellsPx(cell.siblingAtColumn(0), leftPx + indentPx_));
    }
    return width;
  }

  const QAbstractItemModel& model_;
  int column_;
  int indentPx_;
  QFontMetrics metrics_;
};

/// Columns while room is divided among them. A width of 0 is a hidden column.
class Division {
 public:
  Division(const QAbstractItemModel& model, const std::vector<int>& needed, int roomPx)
      : model_(model), needed_(needed), widths_(needed), leftPx_(roomPx) {
    const int mostPx = hasWideColumn(model) ? kMostBesideWidePx : kMostColumnPx;
    for (size_t i = 0; i < widths_.size(); ++i) {
      if (isWide(i))
        wide_.push_back(i);
      else
        leftPx_ -= widths_[i] = std::min(needed[i], mostPx);
    }
  }

  std::vector<int> widths() {
    hideExpendable();
    if (!wide_.empty()) narrowTexts();
    shareOut();
    return widths_;
  }

 private:
  bool isWide(size_t column) const {
    return needed_[column] > 0 && tells(model_, static_cast<int>(column), kColumnIsWideRole);
  }
  /// What wide columns lack to be as wide as they need, within bounds.
  int lackPx(int mostPx) const {
    int wantedPx = 0;
    for (const size_t column : wide_) wantedPx += std::clamp(needed_[column], kLeastWidePx, mostPx);
    return wantedPx - leftPx_;
  }

  void hideExpendable() {
    std::map<int, std::vector<size_t>> turns;
    for (size_t i = 0; i < widths_.size(); ++i) {
      const QVariant turn = model_.headerData(static_cast<int>(i), Qt::Horizontal, kColumnTurnRole);
      if (turn.isValid() && !isWide(i)) turns[turn.toInt()].push_back(i);
    }
    for (const auto& [turn, columns] : turns) {
      if (lackPx(kGoodWidePx) <= 0) return;
      for (const size_t column : columns) leftPx_ += std::exchange(widths_[column], 0);
    }
  }

  void narrowTexts() {
    for (size_t i = 0; i < widths_.size() && lackPx(kLeastWidePx) > 0; ++i) {
      const bool isText = columnKind(model_, static_cast<int>(i)) != ColumnKind::kNumber;
      if (!isText || isWide(i) || widths_[i] <= kLeastTextPx) continue;
      const int givenPx = std::min(widths_[i] - kLeastTextPx, lackPx(kLeastWidePx));
      widths_[i] -= givenPx;
      leftPx_ += givenPx;
    }
  }

  void shareOut() {
    if (!wide_.empty()) return shareAmongWide();
    // What is left goes to those that have been cut, the first ones first.
    for (size_t i = 0; i < widths_.size(); ++i) {
      const int morePx = std::clamp(leftPx_, 0, needed_[i] - widths_[i]);
      if (widths_[i] == 0) continue;
      widths_[i] += morePx;
      leftPx_ -= morePx;
    }
  }

  /// Those that need little get that, the others what is left in equal parts.
  void shareAmongWide() {
    std::vector<size_t> byNeed = wide_;
    std::sort(byNeed.begin(), byNeed.end(),
              [this](size_t a, size_t b) { return needed_[a] < needed_[b]; });
    auto takers = static_cast<int>(byNeed.size());
    for (const size_t column : byNeed) {
      const int partPx = leftPx_ / takers--;
      // The one that needs most also takes what nobody needs.
      const int takenPx = takers == 0 ? partPx : std::min(partPx, needed_[column]);
      widths_[column] = std::max(kLeastTextPx, takenPx);
      leftPx_ -= widths_[column];
    }
  }

  const QAbstractItemModel& model_;
  const std::vector<int>& needed_;
  std::vector<int> widths_;
  std::vector<size_t> wide_;
  int leftPx_;
};

}  // namespace

std::vector<int> neededWidths(const QAbstractItemModel& model, int indentPx) {
  std::vector<int> widths;
  for (int column = 0; column < model.columnCount(); ++column) {
    const bool isUnused = tells(model, column, kColumnIsUnusedRole);
    widths.push_back(isUnused ? 0 : Measure(model, column, indentPx).wholePx());
  }
  return widths;
}

void divideRoom(QHeaderView& header, const std::vector<int>& needed, int roomPx) {
  if (header.model() == nullptr || std::cmp_not_equal(needed.size(), header.count())) return;
  const std::vector<int> widths = Division(*header.model(), needed, roomPx).widths();
  for (int column = 0; column < header.count(); ++column) {
    const int width = widths[static_cast<size_t>(column)];
    header.setSectionHidden(column, width == 0);
    if (width > 0) header.resizeSection(column, width);
  }
}

bool hasWideColumn(const QAbstractItemModel& model) {
  for (int column = 0; column < model.columnCount(); ++column) {
    if (tells(model, column, kColumnIsWideRole)) return true;
  }
  return false;
}

}  // namespace jitscope::gui
