#include "gui/widgets/cell_delegate.h"

#include <QPainter>
#include <algorithm>
#include <optional>

#include "gui/models/event_columns.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kBarInsetPx = 4;
constexpr float kBarAlpha = 0.28F;

int alignmentOf(ColumnKind kind) {
  return static_cast<int>((kind == ColumnKind::kNumber ? Qt::AlignRight : Qt::AlignLeft) |
                          Qt::AlignVCenter);
}

/// None where the model does not say it.
std::optional<Category> categoryOf(const QModelIndex& index, CellRole role) {
  const QVariant category = index.data(role);
  return category.isValid() ? std::optional(static_cast<Category>(category.toInt())) : std::nullopt;
}

QRgb textColour(const QModelIndex& index) {
  if (index.data(kCellIsFaintRole).toBool()) return colours().secondary;
  const auto category = categoryOf(index, kCellCategoryRole);
  return category ? inkOf(*category) : colours().text;
}

void paintShare(QPainter& painter, QRect box, const QModelIndex& index) {
  const double share = std::clamp(index.data(kCellShareRole).toDouble(), 0.0, 1.0);
  if (share <= 0) return;
  const auto category = categoryOf(index, kCellShareCategoryRole);
  QColor fill(category ? colourOf(*category) : colours().dramRead);
  fill.setAlphaF(kBarAlpha);
  const int length = std::max(1, static_cast<int>(box.width() * share));
  painter.fillRect(
      QRect(box.left(), box.top() + kBarInsetPx, length, box.height() - 2 * kBarInsetPx), fill);
}

void paintDot(QPainter& painter, QRect box, Category category) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(colourOf(category)));
  painter.drawEllipse(QPointF(box.left() + 4, box.center().y() + 0.5), 4, 4);
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  painter->save();
  const bool isSelected = option.state & QStyle::State_Selected;
  painter->fillRect(option.rect, QColor(isSelected ? colours().selected : colours().surface));
  QRect box = option.rect.adjusted(kCellMarginPx, 0, -kCellMarginPx, 0);
  paintShare(*painter, box, index);
  if (const auto dot = categoryOf(index, kCellDotRole)) {
    paintDot(*painter, box, *dot);
    box.setLeft(box.left() + kCellDotPx);
  }
  const ColumnKind kind = columnKind(*index.model(), index.column());
  painter->setPen(QColor(textColour(index)));
  painter->setFont(cellFont(kind));
  // A sentence is told by its beginning, a name or place by both ends.
  const Qt::TextElideMode elision = kind == ColumnKind::kText ? Qt::ElideRight : Qt::ElideMiddle;
  const QString text = index.data().toString().simplified();
  painter->drawText(box, alignmentOf(kind) | Qt::TextSingleLine,
                    painter->fontMetrics().elidedText(text, elision, box.width()));
  painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {0, kCellRowPx};
}

CellHeader::CellHeader(QWidget* parent, int heightPx) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
  setStretchLastSection(false);
  setFixedHeight(heightPx);
  setMinimumSectionSize(20);
}

void CellHeader::paintEvent(QPaintEvent* event) {
  QHeaderView::paintEvent(event);
  const int end = length() - offset();
  QPainter(viewport()).fillRect(end, 0, width() - end, height(), QColor(colours().surface));
}

void CellHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  painter->save();
  painter->fillRect(rect, QColor(colours().surface));
  const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  painter->setPen(QColor(isSorted ? colours().text : colours().secondary));
  painter->setFont(cellTitleFont());
  QString title = model()->headerData(section, Qt::Horizontal).toString();
  if (isSorted) title += sortIndicatorOrder() == Qt::AscendingOrder ? " ▴" : " ▾";
  const QRect line(rect.left(), rect.bottom() + 1 - kLinePx, rect.width(), kLinePx);
  const QRect box = line.adjusted(kCellMarginPx, 0, -kCellMarginPx, 0);
  painter->drawText(box, alignmentOf(columnKind(*model(), section)),
                    painter->fontMetrics().elidedText(title, Qt::ElideRight, box.width()));
  painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(colours().line));
  painter->restore();
}

ColumnKind columnKind(const QAbstractItemModel& model, int column) {
  return static_cast<ColumnKind>(model.headerData(column, Qt::Horizontal, kColumnKindRole).toInt());
}

QFont cellFont(ColumnKind kind) {
  return kind == ColumnKind::kText ? interfaceFont(12) : fixedFont(11);
}

QFont cellTitleFont() { return interfaceFont(11, QFont::DemiBold); }

}  // namespace jitscope::gui
