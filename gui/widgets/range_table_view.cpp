#include "gui/widgets/range_table_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <array>
#include <vector>

#include "gui/models/range_table.h"
#include "gui/widgets/cell_delegate.h"
#include "gui/widgets/column_widths.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {
namespace {

constexpr int kHeaderPx = 40;
constexpr int kNamePx = 200;  ///< for this columns go that others can do without

/// The widest text that a column is made for. What stands in it now changes with each step of the
/// view, and its columns should not.
constexpr std::array<const char*, RangeTable::kColumnCount> kWidest{
    "",          "compilation", "1,234,567", "3,600 s",   "3,600 s", "9,999.9 %",
    "1,234,567", "3,600 s",     "3,600 s",   "9,999.9 %", "+3,600 s"};

std::vector<int> widestPx() {
  const QFontMetrics metrics(cellFont(ColumnKind::kNumber));
  std::vector<int> widths;
  for (const char* text : kWidest)
    widths.push_back(metrics.horizontalAdvance(text) + 2 * kCellMarginPx + 2);
  widths[RangeTable::kName] = kNamePx;
  return widths;
}

/// Two lines: the pane over its four columns, then each column's own name.
class PaneHeader final : public CellHeader {
 public:
  explicit PaneHeader(QWidget* parent) : CellHeader(parent, kHeaderPx) {}

 protected:
  void paintEvent(QPaintEvent* event) override {
    CellHeader::paintEvent(event);
    QPainter painter(viewport());
    painter.setFont(cellTitleFont());
    paintGroup(painter, RangeTable::kEagerCount, RangeTable::kEagerShare, Pane::kEager);
    paintGroup(painter, RangeTable::kCompiledCount, RangeTable::kCompiledShare, Pane::kCompiled);
  }

 private:
  /// The pane's name over its columns. After the sections, for it is wider than the first of them.
  void paintGroup(QPainter& painter, int first, int last, Pane pane) const {
    const int left = sectionViewportPosition(first) + 10;
    const int right = sectionViewportPosition(last) + sectionSize(last) - 8;
    painter.fillRect(left, 18, right - left, 1, QColor(colourOf(pane)));
    painter.setPen(QColor(inkOf(pane)));
    painter.drawText(QRect(left, 0, right - left, 18), Qt::AlignVCenter,
                     pane == Pane::kEager ? "Eager" : "Compiled");
  }
};

}  // namespace

RangeTableView::RangeTableView(QWidget* parent) : QTableView(parent) {
  setObjectName("numbers");
  setAccessibleName("Numbers of the selected range");
  setHorizontalHeader(new PaneHeader(this));
  setItemDelegate(new CellDelegate(this));
  setPlainLook(*this, kCellRowPx);
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
  if (model() != nullptr) divideRoom(*horizontalHeader(), widestPx(), viewport()->width());
}

void RangeTableView::keyPressEvent(QKeyEvent* event) {
  if (!sortByDigit(*this, *event)) QTableView::keyPressEvent(event);
}

}  // namespace jitscope::gui
