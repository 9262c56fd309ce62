#include "gui/widgets/finding_view.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include "gui/models/finding_list.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {
namespace {

constexpr int kTextLeft = 30;
constexpr int kLinePx = 16;

/// The title on up to three lines, then cost and place on one line each.
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
      painter->setBrush(QColor(isSelected ? colour::kLine : colour::kRaised));
      painter->drawRoundedRect(box, 4, 4);
    }
    if (option.state & QStyle::State_HasFocus) {
      painter->setPen(QColor(colour::kFaint));
      painter->setBrush(Qt::NoBrush);
      painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    const auto category = static_cast<Category>(index.data(FindingList::kCategoryRole).toInt());
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(colourOf(category)));
    painter->drawEllipse(QPointF(box.left() + 12, box.top() + 15), 4.5, 4.5);
    int y = box.top() + 7;
    const QRect title = titleRect(option.rect.width(), index);
    painter->setFont(interfaceFont(12, QFont::DemiBold));
    painter->setPen(QColor(colour::kText));
    const QRect place(option.rect.left() + kTextLeft, y, title.width(), title.height());
    painter->drawText(place, Qt::TextWordWrap, index.data().toString());
    y += title.height() + 2;
    for (const int role : {FindingList::kCostRole, FindingList::kPlaceRole}) {
      const QString text = index.data(role).toString();
      if (text.isEmpty()) continue;
      painter->setFont(role == FindingList::kCostRole ? interfaceFont(11) : fixedFont(10));
      painter->setPen(QColor(colour::kSecondary));
      const QRect line(option.rect.left() + kTextLeft, y, title.width(), kLinePx);
      painter->drawText(line, Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(text, Qt::ElideMiddle, line.width()));
      y += kLinePx;
    }
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    int height = titleRect(option.rect.width(), index).height() + 18;
    for (const int role : {FindingList::kCostRole, FindingList::kPlaceRole}) {
      if (!index.data(role).toString().isEmpty()) height += kLinePx;
    }
    return {option.rect.width(), height};
  }

 private:
  static QRect titleRect(int width, const QModelIndex& index) {
    const QFontMetrics metrics(interfaceFont(12, QFont::DemiBold));
    const int textPx = std::max(60, width - kTextLeft - 14);
    QRect text =
        metrics.boundingRect(QRect(0, 0, textPx, 1000), Qt::TextWordWrap, index.data().toString());
    text.setWidth(textPx);
    text.setHeight(std::min(text.height(), 3 * metrics.lineSpacing()));
    return text;
  }
};

}  // namespace

FindingListView::FindingListView(QWidget* parent) : QListView(parent) {
  setObjectName("findings");
  setAccessibleName("Findings");
  setFrameShape(QFrame::NoFrame);
  setItemDelegate(new FindingDelegate(this));
  setMouseTracking(true);
  setVerticalScrollBar(new SlimScrollBar);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setResizeMode(QListView::Adjust);
}

void FindingListView::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(interfaceFont(12));
  painter.setPen(QColor(colour::kSecondary));
  painter.drawText(QRect(20, 6, viewport()->width() - 30, 60), Qt::TextWordWrap, "nothing found");
}

void FindingListView::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

}  // namespace jitscope::gui
