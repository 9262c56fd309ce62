#include "gui/widgets/cell_table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include "gui/widgets/cell_delegate.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {
namespace {

constexpr int kRowPx = 24;

}  // namespace

CellTableView::CellTableView(const QString& name, QWidget* parent) : QTableView(parent) {
  setObjectName(name);
  setAccessibleName(name);
  setHorizontalHeader(new CellHeader(this));
  setItemDelegate(new CellDelegate(this));
  setPlainLook(*this, kRowPx);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(this, &QAbstractItemView::doubleClicked, this,
          [this](const QModelIndex& index) { Q_EMIT rowChosen(index.row()); });
}

void CellTableView::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  sortByHeads(*this);
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    fitColumns();
  });
  fitColumns();
}

void CellTableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitColumns();
}

void CellTableView::fitColumns() {
  if (model() != nullptr) fitCellColumns(*horizontalHeader(), viewport()->width());
}

void CellTableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy) && currentIndex().isValid()) {
    QApplication::clipboard()->setText(currentIndex().data().toString());
    return;
  }
  if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
      currentIndex().isValid()) {
    Q_EMIT rowChosen(currentIndex().row());
    return;
  }
  const int column = event->key() - Qt::Key_1;
  if (event->modifiers() != Qt::NoModifier || column < 0 || column > 8 ||
      column >= model()->columnCount()) {
    return QTableView::keyPressEvent(event);
  }
  const QHeaderView* header = horizontalHeader();
  const bool isDown = header->sortIndicatorSection() == column &&
                      header->sortIndicatorOrder() == Qt::DescendingOrder;
  sortByColumn(column, isDown ? Qt::AscendingOrder : Qt::DescendingOrder);
}

void CellTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (current.isValid() && current.row() != previous.row()) Q_EMIT rowSelected(current.row());
}

}  // namespace jitscope::gui
