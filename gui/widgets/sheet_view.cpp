#include "gui/widgets/sheet_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "gui/models/cell_roles.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {
namespace {

constexpr int kRowPx = 22;
constexpr int kHeaderPx = 26;
constexpr int kMarginPx = 8;
constexpr int kLeastStretchedPx = 170;
constexpr int kMostPx = 460;  ///< of a column, where room is short
constexpr int kMostLetters = 400;
constexpr int kMeasuredRows = 300;
constexpr int kArrowPx = 14;  ///< of the sign that says how a column is sorted
constexpr const char* kUsualNumber = "9,999 µs";

QFont fontOf(const QModelIndex& index) {
  return index.data(kCellIsWordRole).toBool() ? interfaceFont(12) : fixedFont(11);
}

class CellDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->fillRect(option.rect, QColor(isSelected ? colour::kLine : colour::kSurface));
    const QRect box = option.rect.adjusted(kMarginPx, 0, -kMarginPx, 0);
    paintShare(*painter, box, index);
    QRgb colour = colour::kText;
    if (const QVariant category = index.data(kCellCategoryRole); category.isValid())
      colour = colourOf(static_cast<Category>(category.toInt()));
    if (index.data(kCellIsFaintRole).toBool()) colour = colour::kSecondary;
    painter->setPen(QColor(colour));
    painter->setFont(fontOf(index));
    const auto alignment = static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt());
    const QString text = index.data().toString().simplified();
    painter->drawText(box, static_cast<int>(alignment) | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(text, Qt::ElideMiddle, box.width()));
    painter->restore();
  }

 private:
  static void paintShare(QPainter& painter, QRect box, const QModelIndex& index) {
    const QVariant share = index.data(kCellShareRole);
    if (!share.isValid()) return;
    QColor fill(colour::kDramRead);
    fill.setAlphaF(0.25F);
    const int length = static_cast<int>(box.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    painter.fillRect(QRect(box.left(), box.top() + 4, length, box.height() - 8), fill);
  }
};

class CellHeader final : public QHeaderView {
 public:
  explicit CellHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setHighlightSections(false);
    setFixedHeight(kHeaderPx);
    setMinimumSectionSize(20);
  }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QHeaderView::paintEvent(event);
    const int end = length() - offset();
    QPainter(viewport()).fillRect(end, 0, width() - end, height(), QColor(colour::kSurface));
  }

  void paintSection(QPainter* painter, const QRect& rect, int section) const override {
    painter->save();
    painter->fillRect(rect, QColor(colour::kSurface));
    painter->setPen(QColor(colour::kSecondary));
    painter->setFont(interfaceFont(11, QFont::DemiBold));
    const auto alignment = static_cast<Qt::Alignment>(
        model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
    QString title = model()->headerData(section, Qt::Horizontal).toString();
    const QRect box = rect.adjusted(kMarginPx, 0, -kMarginPx, 0);
    if (isSortIndicatorShown() && sortIndicatorSection() == section) {
      title += sortIndicatorOrder() == Qt::AscendingOrder ? " ▴" : " ▾";
      painter->setPen(QColor(colour::kText));
    }
    painter->drawText(box, static_cast<int>(alignment),
                      painter->fontMetrics().elidedText(title, Qt::ElideRight, box.width()));
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(colour::kLine));
    painter->restore();
  }
};

/// How wide a column must be for what stands in its first lines.
int neededWidth(const QAbstractItemModel& model, int column) {
  const QString title = model.headerData(column, Qt::Horizontal).toString();
  int width = QFontMetrics(interfaceFont(11, QFont::DemiBold)).horizontalAdvance(title) + kArrowPx;
  const auto alignment = static_cast<Qt::Alignment>(
      model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt());
  const QFontMetrics fixed(fixedFont(11)), word(interfaceFont(12));
  if (alignment & Qt::AlignRight) width = std::max(width, fixed.horizontalAdvance(kUsualNumber));
  for (int row = 0; row < std::min(model.rowCount(), kMeasuredRows); ++row) {
    const QModelIndex index = model.index(row, column);
    const QFontMetrics& metrics = index.data(kCellIsWordRole).toBool() ? word : fixed;
    // A text that is much longer than any column need not be measured.
    const QString text = index.data().toString().left(kMostLetters).simplified();
    width = std::max(width, metrics.horizontalAdvance(text));
  }
  return width + 2 * kMarginPx + 2;
}

}  // namespace

SheetView::SheetView(QWidget* parent) : QTableView(parent) {
  setHorizontalHeader(new CellHeader(this));
  setItemDelegate(new CellDelegate(this));
  setPlainLook(*this, kRowPx);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

void SheetView::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  sortByHeads(*this);
}

void SheetView::setElastic(int stretched, std::vector<int> expendable) {
  stretched_ = stretched;
  expendable_ = std::move(expendable);
  setHorizontalScrollBarPolicy(stretched < 0 ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

void SheetView::setUnused(int column, bool isUnused) {
  isUnused_.resize(static_cast<size_t>(model()->columnCount()), false);
  isUnused_[static_cast<size_t>(column)] = isUnused;
}

void SheetView::measureColumns() {
  const int count = model()->columnCount();
  isUnused_.resize(static_cast<size_t>(count), false);
  widths_.clear();
  for (int column = 0; column < count; ++column) {
    const bool isUnused = isUnused_[static_cast<size_t>(column)];
    widths_.push_back(isUnused ? 0 : neededWidth(*model(), column));
  }
  fitColumns();
}

void SheetView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fitColumns();
}

void SheetView::fitColumns() {
  if (model() == nullptr || std::cmp_not_equal(widths_.size(), model()->columnCount())) return;
  const std::vector<bool> isHidden = hiddenColumns();
  int left = viewport()->width();
  for (size_t i = 0; i < widths_.size(); ++i) {
    const bool isFirm = !isHidden[i] && std::cmp_not_equal(i, stretched_);
    if (isFirm) left -= std::min(widths_[i], kMostPx);
  }
  for (size_t i = 0; i < widths_.size(); ++i) {
    const int column = static_cast<int>(i);
    setColumnHidden(column, isHidden[i]);
    if (isHidden[i]) continue;
    if (column == stretched_) {
      setColumnWidth(column, std::max(left, kLeastStretchedPx));
      continue;
    }
    // What is left goes to those that have been cut, the first ones first.
    const int cut = std::max(0, widths_[i] - kMostPx);
    const int more = stretched_ < 0 ? std::clamp(left, 0, cut) : 0;
    left -= more;
    setColumnWidth(column, std::min(widths_[i], kMostPx) + more);
  }
}

std::vector<bool> SheetView::hiddenColumns() const {
  std::vector<bool> isHidden(widths_.size(), false);
  int left = viewport()->width();
  for (size_t i = 0; i < widths_.size(); ++i) {
    isHidden[i] = widths_[i] == 0;
    if (std::cmp_not_equal(i, stretched_)) left -= std::min(widths_[i], kMostPx);
  }
  for (const int column : expendable_) {
    const auto at = static_cast<size_t>(column);
    if (stretched_ < 0 || left >= kLeastStretchedPx || isHidden[at]) continue;
    isHidden[at] = true;
    left += std::min(widths_[at], kMostPx);
  }
  return isHidden;
}

void SheetView::sortByNumber(int column) {
  const QHeaderView* header = horizontalHeader();
  const bool isSame = header->sortIndicatorSection() == column;
  const bool isDown = isSame && header->sortIndicatorOrder() == Qt::DescendingOrder;
  sortByColumn(column, isDown ? Qt::AscendingOrder : Qt::DescendingOrder);
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
  // A digit sorts by the visible column of that number, again for the other direction.
  int left = event->key() - Qt::Key_1;
  if (event->modifiers() != Qt::NoModifier || left < 0 || left > 8)
    return QTableView::keyPressEvent(event);
  for (int column = 0; column < model()->columnCount(); ++column) {
    if (!isColumnHidden(column) && left-- == 0) return sortByNumber(column);
  }
}

}  // namespace jitscope::gui
