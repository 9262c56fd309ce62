#include "gui/widgets/range_table_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <array>
#include <vector>

#include "gui/models/range_table.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {
namespace {

constexpr int kRowPx = 22;
constexpr int kHeaderPx = 40;
constexpr int kLeastNamePx = 150;
constexpr int kMarginPx = 8;

/// The widest text that a column is made for; the name gets what is left.
constexpr std::array<const char*, RangeTable::kColumnCount> kWidest{
    "",          "compilation", "1,234,567", "9,999 µs",  "9,999 µs", "9,999.9 %",
    "1,234,567", "9,999 µs",    "9,999 µs",  "9,999.9 %", "+9,999 µs"};

int widthOf(int column) {
  const QString widest = kWidest[static_cast<size_t>(column)];
  return QFontMetrics(fixedFont(11)).horizontalAdvance(widest) + 2 * kMarginPx + 2;
}

bool isShare(int column) {
  return column == RangeTable::kEagerShare || column == RangeTable::kCompiledShare;
}

class NumberDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->fillRect(option.rect, QColor(isSelected ? colour::kLine : colour::kSurface));
    const QRect box = option.rect.adjusted(kMarginPx, 0, -kMarginPx, 0);
    const auto category = static_cast<Category>(index.data(RangeTable::kCategoryRole).toInt());
    if (isShare(index.column())) paintShare(*painter, box, index);
    QRgb colour = colour::kText;
    if (index.column() == RangeTable::kKind) {
      colour = category == Category::kLibrary ? colour::kSecondary : colourOf(category);
    }
    if (index.data().toString() == "–") colour = colour::kFaint;
    painter->setPen(QColor(colour));
    painter->setFont(index.column() == RangeTable::kKind ? interfaceFont(12) : fixedFont(11));
    const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    painter->drawText(
        box, static_cast<int>(alignment),
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, box.width()));
    painter->restore();
  }

 private:
  static void paintShare(QPainter& painter, QRect box, const QModelIndex& index) {
    const double share = std::clamp(index.data(RangeTable::kShareRole).toDouble(), 0.0, 1.0);
    if (share <= 0) return;
    const bool isEager = index.column() == RangeTable::kEagerShare;
    QColor fill(isEager ? colour::kEager : colour::kCompiled);
    fill.setAlphaF(0.28F);
    const int length = std::max(1, static_cast<int>(box.width() * share));
    painter.fillRect(QRect(box.left(), box.top() + 4, length, box.height() - 8), fill);
  }
};

/// Two lines: the pane over its four columns, then each column's own name.
class PaneHeader final : public QHeaderView {
 public:
  explicit PaneHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setFixedHeight(kHeaderPx);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QHeaderView::paintEvent(event);
    QPainter painter(viewport());
    painter.setFont(interfaceFont(11, QFont::DemiBold));
    paintGroup(painter, RangeTable::kEagerCount, RangeTable::kEagerShare, Pane::kEager);
    paintGroup(painter, RangeTable::kCompiledCount, RangeTable::kCompiledShare, Pane::kCompiled);
  }

  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    painter->save();
    painter->fillRect(rect, QColor(colour::kSurface));
    painter->setPen(QColor(colour::kSecondary));
    painter->setFont(interfaceFont(11, QFont::DemiBold));
    const QRect lower = rect.adjusted(8, kHeaderPx / 2 - 2, -8, -2);
    const auto alignment = static_cast<Qt::Alignment>(
        model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    QString title = model()->headerData(section, Qt::Horizontal).toString();
    if (isSortIndicatorShown() && sortIndicatorSection() == section) {
      title += sortIndicatorOrder() == Qt::AscendingOrder ? " ▴" : " ▾";
      painter->setPen(QColor(colour::kText));
    }
    painter->drawText(lower, static_cast<int>(alignment), title);
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(colour::kLine));
    painter->restore();
  }

 private:
  /// The pane's name over its columns. After the sections, for it is wider than the first of them.
  void paintGroup(QPainter& painter, int first, int last, Pane pane) const {
    const int left = sectionViewportPosition(first) + 10;
    const int right = sectionViewportPosition(last) + sectionSize(last) - 8;
    const QColor colour(colourOf(pane));
    painter.fillRect(left, 18, right - left, 1, colour);
    painter.setPen(colour);
    painter.drawText(QRect(left, 0, right - left, 18), Qt::AlignVCenter,
                     pane == Pane::kEager ? "Eager" : "Compiled");
  }
};

}  // namespace

RangeTableView::RangeTableView(QWidget* parent) : QTableView(parent) {
  setObjectName("numbers");
  setAccessibleName("Numbers of the selected range");
  setHorizontalHeader(new PaneHeader(this));
  setItemDelegate(new NumberDelegate(this));
  setPlainLook(*this, kRowPx);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void RangeTableView::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  sortByHeads(*this);
  fitColumns();
}

void RangeTableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitColumns();
}

void RangeTableView::fitColumns() {
  if (model() == nullptr) return;
  int namePx = viewport()->width();
  for (int column = RangeTable::kKind; column < RangeTable::kColumnCount; ++column) {
    namePx -= widthOf(column);
  }
  // Where room is short, what goes first is what others tell: means follow from count and sum, the
  // kind is seen in the name, shares follow from the sum. No number is cut.
  const std::vector<int> expendable[] = {{RangeTable::kEagerMean, RangeTable::kCompiledMean},
                                         {RangeTable::kKind},
                                         {RangeTable::kEagerShare, RangeTable::kCompiledShare}};
  for (const std::vector<int>& columns : expendable) {
    const bool isShort = namePx < kLeastNamePx;
    for (const int column : columns) {
      setColumnHidden(column, isShort);
      if (isShort) namePx += widthOf(column);
    }
  }
  for (int column = RangeTable::kKind; column < RangeTable::kColumnCount; ++column) {
    if (isColumnHidden(column)) continue;
    horizontalHeader()->resizeSection(column, widthOf(column));
  }
  horizontalHeader()->resizeSection(RangeTable::kName, std::max(80, namePx));
}

void RangeTableView::keyPressEvent(QKeyEvent* event) {
  // A digit sorts by the column of that number, again for the other direction.
  const int column = event->key() - Qt::Key_1;
  if (event->modifiers() != Qt::NoModifier || column < 0 || column > 8) {
    return QTableView::keyPressEvent(event);
  }
  const QHeaderView* header = horizontalHeader();
  const bool isSame = header->sortIndicatorSection() == column;
  const bool isDown = isSame && header->sortIndicatorOrder() == Qt::DescendingOrder;
  sortByColumn(column, isDown ? Qt::AscendingOrder : Qt::DescendingOrder);
}

}  // namespace jitscope::gui
