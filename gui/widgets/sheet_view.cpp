#include "gui/widgets/sheet_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include "gui/models/sheet_table.h"
#include "gui/widgets/cell_delegate.h"
#include "gui/widgets/column_widths.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {

SheetView::SheetView(const QString& name, QWidget* parent) : QTableView(parent) {
  setObjectName(name);
  setAccessibleName(name);
  setHorizontalHeader(new CellHeader(this));
  setItemDelegate(new CellDelegate(this));
  setPlainLook(*this, kCellRowPx);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  connect(this, &QAbstractItemView::doubleClicked, this,
          [this](const QModelIndex& index) { Q_EMIT rowChosen(index.row()); });
}

void SheetView::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  sortByHeads(*this);
  if (auto* sheets = qobject_cast<SheetTable*>(model))
    connect(sheets, &SheetTable::sheetChanged, this, &SheetView::showSheet);
  measureColumns();
}

void SheetView::showSheet() {
  horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
  measureColumns();
}

void SheetView::measureColumns() {
  needed_ = neededWidths(*model());
  setHorizontalScrollBarPolicy(hasWideColumn(*model()) ? Qt::ScrollBarAlwaysOff
                                                       : Qt::ScrollBarAsNeeded);
  divideRoom(*horizontalHeader(), needed_, viewport()->width());
}

void SheetView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  if (model() != nullptr) divideRoom(*horizontalHeader(), needed_, viewport()->width());
}

QString SheetView::selectedText() const {
  QStringList lines;
  const auto lineOf = [this](auto cell) {
    QStringList cells;
    for (int column = 0; column < model()->columnCount(); ++column) {
      if (!isColumnHidden(column)) cells << cell(column).toString().simplified();
    }
    return cells.join('\t');
  };
  lines << lineOf([this](int column) { return model()->headerData(column, Qt::Horizontal); });
  const bool hasSelection = selectionModel()->hasSelection();
  for (int row = 0; row < model()->rowCount(); ++row) {
    if (hasSelection && !selectionModel()->isRowSelected(row)) continue;
    lines << lineOf([&](int column) { return model()->index(row, column).data(); });
  }
  return lines.join('\n') + '\n';
}

void SheetView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return QApplication::clipboard()->setText(selectedText());
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isEnter && currentIndex().isValid()) {
    Q_EMIT rowChosen(currentIndex().row());
    return;
  }
  if (!sortByDigit(*this, *event)) QTableView::keyPressEvent(event);
}

void SheetView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (current.isValid() && current.row() != previous.row()) Q_EMIT rowSelected(current.row());
}

}  // namespace jitscope::gui
