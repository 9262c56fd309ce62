#pragma once

#include <QHeaderView>
#include <QStyledItemDelegate>

namespace jitscope::gui {

/// Draws the cells of a CellTable or CellTree.
class CellDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The heads of their columns, with an arrow at the one that sorts.
class CellHeader final : public QHeaderView {
  Q_OBJECT
 public:
  explicit CellHeader(QWidget* parent = nullptr);

 protected:
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;
};

/// Makes columns as wide as what stands in their first rows; the wide ones share what is left of
/// `widthPx`.
void fitCellColumns(QHeaderView& header, int widthPx);

}  // namespace jitscope::gui
