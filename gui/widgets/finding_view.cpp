#include "gui/widgets/finding_view.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <algorithm>

#include "gui/models/finding_list.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {
namespace {

constexpr int kTextLeft = 30;
constexpr int kLinePx = 16;
constexpr qsizetype kTitleLines = 3;

QFont titleFont() { return interfaceFont(12, QFont::DemiBold); }

/// The title in lines of `widthPx`; what does not fit ends in "…". Breaks inside words where it
/// must: names of templates have no spaces.
QStringList titleLines(const QString& title, int widthPx) {
  const QFontMetrics metrics(titleFont());
  QTextLayout layout(title, titleFont());
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  QStringList lines;
  while (lines.size() < kTitleLines) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(widthPx);
    const bool isLast = lines.size() + 1 == kTitleLines;
    const QString rest = title.mid(line.textStart());
    lines << (isLast ? metrics.elidedText(rest, Qt::ElideRight, widthPx)
                     : rest.left(line.textLength()).trimmed());
  }
  layout.endLayout();
  return lines;
}

/// The title on a few lines, then cost and place on one line each.
class FindingDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect box = option.rect.adjusted(8, 1, -8, -1);
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
      const bool isSelected = option.state & QStyle::State_Selected;
      painter->setPen(Qt::NoPen);
      painter->setBrush(QColor(isSelected ? colours().selected : colours().raised));
      painter->drawRoundedRect(box, 4, 4);
    }
    if (option.state & QStyle::State_HasFocus) {
      painter->setPen(QColor(colours().faint));
      painter->setBrush(Qt::NoBrush);
      painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    const auto category = static_cast<Category>(index.data(FindingList::kCategoryRole).toInt());
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(colourOf(category)));
    painter->drawEllipse(QPointF(box.left() + 12, box.top() + 15), 4.5, 4.5);
    int y = box.top() + 7;
    const int left = option.rect.left() + kTextLeft, widthPx = textWidth(option);
    painter->setFont(titleFont());
    painter->setPen(QColor(colours().text));
    for (const QString& line : titleLines(index.data().toString(), widthPx)) {
      painter->drawText(left, y + painter->fontMetrics().ascent(), line);
      y += painter->fontMetrics().lineSpacing();
    }
    y += 2;
    for (const int role : {FindingList::kCostRole, FindingList::kPlaceRole}) {
      const QString text = index.data(role).toString();
      if (text.isEmpty()) continue;
      painter->setFont(role == FindingList::kCostRole ? interfaceFont(11) : fixedFont(10));
      painter->setPen(QColor(colours().secondary));
      const QRect line(left, y, widthPx, kLinePx);
      painter->drawText(line, Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(text, Qt::ElideMiddle, line.width()));
      y += kLinePx;
    }
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const auto lines = titleLines(index.data().toString(), textWidth(option)).size();
    int height = static_cast<int>(lines) * QFontMetrics(titleFont()).lineSpacing() + 18;
    for (const int role : {FindingList::kCostRole, FindingList::kPlaceRole}) {
      if (!index.data(role).toString().isEmpty()) height += kLinePx;
    }
    return {option.rect.width(), height};
  }

 private:
  static int textWidth(const QStyleOptionViewItem& option) {
    return std::max(60, option.rect.width() - kTextLeft - 14);
  }
};

}  // namespace

FindingListView::FindingListView(QWidget* parent) : QListView(parent) {
  setObjectName("findings");
  setAccessibleName("Findings");
  setPlainLook(*this);
  setItemDelegate(new FindingDelegate(this));
}

void FindingListView::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(interfaceFont(12));
  painter.setPen(QColor(colours().secondary));
  painter.drawText(QRect(20, 6, viewport()->width() - 30, 60), Qt::TextWordWrap, "nothing found");
}

void FindingListView::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

}  // namespace jitscope::gui
