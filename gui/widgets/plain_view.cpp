#include "gui/widgets/plain_view.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QListView>
#include <QTableView>

#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {

void setPlainLook(QTableView& table, int rowPx) {
  table.setFrameShape(QFrame::NoFrame);
  table.setShowGrid(false);
  table.setWordWrap(false);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table.setTabKeyNavigation(false);
  table.setVerticalScrollBar(new SlimScrollBar);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(rowPx);
  table.verticalHeader()->setMinimumSectionSize(rowPx);
}

void setPlainLook(QListView& list) {
  list.setFrameShape(QFrame::NoFrame);
  list.setMouseTracking(true);
  list.setVerticalScrollBar(new SlimScrollBar);
  list.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list.setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list.setResizeMode(QListView::Adjust);
}

void sortByHeads(QTableView& table) {
  table.horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  table.setSortingEnabled(true);
}

bool sortByDigit(QTableView& table, const QKeyEvent& event) {
  int left = event.key() - Qt::Key_1;
  if (event.modifiers() != Qt::NoModifier || left < 0 || left > 8) return false;
  const QHeaderView& header = *table.horizontalHeader();
  for (int column = 0; column < header.count(); ++column) {
    if (header.isSectionHidden(column) || left-- > 0) continue;
    const bool isDown = header.sortIndicatorSection() == column &&
                        header.sortIndicatorOrder() == Qt::DescendingOrder;
    table.sortByColumn(column, isDown ? Qt::AscendingOrder : Qt::DescendingOrder);
    break;
  }
  return true;
}

}  // namespace jitscope::gui
