#include "gui/widgets/cell_delegate.h"

#include <QPainter>
#include <algorithm>
#include <vector>

#include "gui/models/cell_table.h"
#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kRowPx = 24;
constexpr int kHeaderPx = 28;
constexpr int kMarginPx = 8;
constexpr int kDotPx = 14;    ///< a dot and the gap after it
constexpr int kMostPx = 260;  ///< of a column that is not wide
constexpr int kLeastWidePx = 160;
constexpr int kLeastTextPx = 72;
constexpr int kMeasuredRows = 200;
constexpr int kMeasuredParents = 20;

QFont fontOf(CellColumn::Kind kind) {
  return kind == CellColumn::Kind::kText ? interfaceFont(12) : fixedFont(11);
}

CellColumn::Kind kindOf(const QAbstractItemModel& model, int column) {
  return static_cast<CellColumn::Kind>(
      model.headerData(column, Qt::Horizontal, CellTable::kKindRole).toInt());
}

/// What a column's cells need, down to the children of the first rows.
int neededPx(const QAbstractItemModel& model, const QModelIndex& parent, int column,
             const QFontMetrics& metrics) {
  int width = 0;
  for (int row = 0; row < std::min(kMeasuredRows, model.rowCount(parent)); ++row) {
    const QModelIndex cell = model.index(row, column, parent);
    const int dotPx = cell.data(CellTable::kCategoryRole).isValid() ? kDotPx : 0;
    width = std::max(width, dotPx + metrics.horizontalAdvance(cell.data().toString()));
    if (row >= kMeasuredParents) continue;
    width = std::max(width, neededPx(model, cell.siblingAtColumn(0), column, metrics));
  }
  return width;
}

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  painter->save();
  const bool isSelected = option.state & QStyle::State_Selected;
  painter->fillRect(option.rect, QColor(isSelected ? colour::kLine : colour::kSurface));
  QRect box = option.rect.adjusted(kMarginPx, 0, -kMarginPx, 0);
  const QVariant category = index.data(CellTable::kCategoryRole);
  if (category.isValid()) {
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(colourOf(static_cast<Category>(category.toInt()))));
    painter->drawEllipse(QPointF(box.left() + 4, box.center().y() + 0.5), 4, 4);
    box.setLeft(box.left() + kDotPx);
  }
  const QString text = index.data().toString();
  painter->setPen(QColor(text == "–" ? colour::kFaint : colour::kText));
  painter->setFont(fontOf(kindOf(*index.model(), index.column())));
  const int alignment = index.data(Qt::TextAlignmentRole).toInt();
  painter->drawText(box, alignment | Qt::TextSingleLine,
                    painter->fontMetrics().elidedText(text, Qt::ElideRight, box.width()));
  painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {kLeastWidePx, kRowPx};
}

CellHeader::CellHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
  setSectionsClickable(true);
  setHighlightSections(false);
  setStretchLastSection(false);
  setFixedHeight(kHeaderPx);
}

void CellHeader::paintSection(QPainter* painter, const QRect& rect, int section) const {
  painter->save();
  painter->fillRect(rect, QColor(colour::kSurface));
  const bool isSorted = isSortIndicatorShown() && sortIndicatorSection() == section;
  painter->setPen(QColor(isSorted ? colour::kText : colour::kSecondary));
  painter->setFont(interfaceFont(11, QFont::DemiBold));
  QString title = model()->headerData(section, Qt::Horizontal).toString();
  if (isSorted) title += sortIndicatorOrder() == Qt::AscendingOrder ? " ▴" : " ▾";
  const int alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
  painter->drawText(rect.adjusted(kMarginPx, 0, -kMarginPx, 0), alignment, title);
  painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(colour::kLine));
  painter->restore();
}

void fitCellColumns(QHeaderView& header, int widthPx) {
  const QAbstractItemModel& model = *header.model();
  const int count = model.columnCount();
  std::vector<int> widths(static_cast<size_t>(count), 0);
  int roomPx = widthPx, wideCount = 0;
  for (int column = 0; column < count; ++column) {
    if (model.headerData(column, Qt::Horizontal, CellTable::kWideRole).toBool()) {
      ++wideCount;
      continue;
    }
    const QString title = model.headerData(column, Qt::Horizontal).toString() + " ▴";
    const int titlePx = QFontMetrics(interfaceFont(11, QFont::DemiBold)).horizontalAdvance(title);
    const int cellPx = neededPx(model, {}, column, QFontMetrics(fontOf(kindOf(model, column))));
    int& width = widths[static_cast<size_t>(column)];
    width = std::min(kMostPx, std::max(titlePx, cellPx) + 2 * kMarginPx + 2);
    roomPx -= width;
  }
  // Where room is short, texts give way; no number is cut.
  for (int column = 0; column < count && roomPx < wideCount * kLeastWidePx; ++column) {
    int& width = widths[static_cast<size_t>(column)];
    if (kindOf(model, column) == CellColumn::Kind::kNumber || width <= kLeastTextPx) continue;
    const int givenPx = std::min(width - kLeastTextPx, wideCount * kLeastWidePx - roomPx);
    width -= givenPx;
    roomPx += givenPx;
  }
  for (int column = 0; column < count; ++column) {
    int& width = widths[static_cast<size_t>(column)];
    if (width == 0) width = std::max(kLeastTextPx, roomPx / std::max(1, wideCount));
    header.resizeSection(column, width);
  }
}

}  // namespace jitscope::gui
