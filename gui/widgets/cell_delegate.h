#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

#include "gui/models/cell_roles.h"

namespace jitscope::gui {

/// Height of a line of a table or tree.
inline constexpr int kCellRowPx = 22;
/// Between a cell's text and either side of its column.
inline constexpr int kCellMarginPx = 8;
/// A dot and the gap after it.
inline constexpr int kCellDotPx = 14;

/// Draws the cells of tables and trees, by what `CellRole` tells of them.
class CellDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The heads of their columns, with an arrow at the one that sorts.
class CellHeader : public QHeaderView {
  Q_OBJECT
 public:
  /// `heightPx` may be more than the one line that titles need; they stand at the bottom.
  explicit CellHeader(QWidget* parent = nullptr, int heightPx = kLinePx);

 protected:
  static constexpr int kLinePx = 26;

  void paintEvent(QPaintEvent* event) override;
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

/// What stands in a column of `model`.
ColumnKind columnKind(const QAbstractItemModel& model, int column);

/// Names and numbers are of fixed width.
QFont cellFont(ColumnKind kind);
QFont cellTitleFont();

}  // namespace jitscope::gui
