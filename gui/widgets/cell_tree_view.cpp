#include "gui/widgets/cell_tree_view.h"

#include <QKeyEvent>
#include <QPainter>

#include "gui/widgets/cell_delegate.h"
#include "gui/widgets/column_widths.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {
namespace {

constexpr int kIndentPx = 16;

}  // namespace

CellTreeView::CellTreeView(const QString& name, QWidget* parent) : QTreeView(parent) {
  setObjectName(name);
  setAccessibleName(name);
  setHeader(new CellHeader(this));
  header()->setSectionsClickable(false);
  setItemDelegate(new CellDelegate(this));
  setFrameShape(QFrame::NoFrame);
  setIndentation(kIndentPx);
  setUniformRowHeights(true);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBar(new SlimScrollBar);
  setExpandsOnDoubleClick(false);
  connect(this, &QAbstractItemView::doubleClicked, this, &CellTreeView::nodeChosen);
}

void CellTreeView::setModel(QAbstractItemModel* model) {
  QTreeView::setModel(model);
  connect(model, &QAbstractItemModel::modelReset, this, &CellTreeView::measureColumns);
}

void CellTreeView::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  divideRoom(*header(), needed_, viewport()->width());
}

void CellTreeView::measureColumns() {
  needed_ = neededWidths(*model(), kIndentPx);
  divideRoom(*header(), needed_, viewport()->width());
}

void CellTreeView::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!isEnter || !currentIndex().isValid()) return QTreeView::keyPressEvent(event);
  Q_EMIT nodeChosen(currentIndex());
}

void CellTreeView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTreeView::currentChanged(current, previous);
  if (current.isValid()) Q_EMIT nodeSelected(current);
}

void CellTreeView::drawBranches(QPainter* painter, const QRect& rect,
                                const QModelIndex& index) const {
  const bool isSelected = selectionModel()->isSelected(index);
  painter->fillRect(rect, QColor(isSelected ? colours().selected : colours().surface));
  if (!model()->hasChildren(index)) return;
  painter->setPen(QColor(colours().secondary));
  painter->setFont(interfaceFont(10));
  painter->drawText(QRect(rect.right() - kIndentPx, rect.top(), kIndentPx, rect.height()),
                    Qt::AlignCenter, isExpanded(index) ? "▾" : "▸");
}

}  // namespace jitscope::gui
