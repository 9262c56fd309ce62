#include "gui/widgets/finding_cards.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <algorithm>

#include "gui/models/finding_list.h"
#include "gui/widgets/palette.h"
#include "gui/widgets/plain_view.h"

namespace jitscope::gui {
namespace {

constexpr int kLeftPx = 30;
constexpr int kRightPx = 16;
constexpr int kLabelPx = 52;
constexpr int kPaddingPx = 10;
constexpr int kMostTextPx = 900;  ///< longer lines are hard to read

/// Draws a card downwards; with no painter it only measures, so that both agree.
class Card {
 public:
  Card(QPainter* painter, const QRect& box)
      : painter_(painter), box_(box), y_(box.top() + kPaddingPx) {}

  int bottom() const { return y_ + kPaddingPx; }

  /// Wrapped; breaks inside words where it must: names of templates have no spaces.
  void text(const QString& text, const QFont& font, QRgb colour, int indentPx = 0) {
    if (text.isEmpty()) return;
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    const int widthPx = std::clamp(box_.width() - kLeftPx - kRightPx - indentPx, 60, kMostTextPx);
    double height = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
      line.setLineWidth(widthPx);
      line.setPosition(QPointF(0, height));
      height += line.height();
    }
    layout.endLayout();
    if (painter_ != nullptr) {
      painter_->setPen(QColor(colour));
      layout.draw(painter_, QPointF(box_.left() + kLeftPx + indentPx, y_));
    }
    y_ += static_cast<int>(height) + 3;
  }

  void labelled(const QString& label, const QString& value) {
    if (value.isEmpty()) return;
    const int top = y_;
    text(label, interfaceFont(12), colours().secondary);
    y_ = top;
    text(value, interfaceFont(12), colours().text, kLabelPx);
  }

 private:
  QPainter* painter_;
  QRect box_;
  int y_;
};

int drawCard(QPainter* painter, const QRect& box, const QModelIndex& index) {
  Card card(painter, box);
  card.text(index.data().toString(), interfaceFont(13, QFont::DemiBold), colours().text);
  QStringList facts;
  for (const int role : {FindingList::kCostRole, FindingList::kPlaceRole}) {
    const QString text = index.data(role).toString();
    if (!text.isEmpty()) facts << text;
  }
  card.text(facts.join(" · "), interfaceFont(12), colours().secondary);
  card.labelled("cause", index.data(FindingList::kCauseRole).toString());
  card.labelled("fix", index.data(FindingList::kFixRole).toString());
  return card.bottom();
}

class CardDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRect box = option.rect.adjusted(8, 3, -8, -3);
    const bool isUsed = option.state & (QStyle::State_Selected | QStyle::State_MouseOver);
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(isUsed ? colours().raised : colours().surface));
    painter->drawRoundedRect(box, 4, 4);
    if (option.state & QStyle::State_HasFocus) {
      painter->setPen(QColor(colours().faint));
      painter->setBrush(Qt::NoBrush);
      painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    const auto category = static_cast<Category>(index.data(FindingList::kCategoryRole).toInt());
    painter->setPen(Qt::NoPen);
    painter->setBrush(QColor(colourOf(category)));
    painter->drawEllipse(QPointF(box.left() + 16, box.top() + kPaddingPx + 8), 4.5, 4.5);
    drawCard(painter, box, index);
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    // The option's own rectangle is not that of the later drawing: the scroll bar may come and go.
    const auto* view = static_cast<const QAbstractItemView*>(option.widget);
    const int widthPx = view->viewport()->width();
    return {widthPx, drawCard(nullptr, QRect(8, 3, widthPx - 16, 0), index) + 3};
  }
};

}  // namespace

FindingCards::FindingCards(QWidget* parent) : QListView(parent) {
  setObjectName("cards");
  setAccessibleName("Findings with cause and fix, worst first");
  setPlainLook(*this);
  setItemDelegate(new CardDelegate(this));
  viewport()->setBackgroundRole(QPalette::Window);
  connect(this, &QAbstractItemView::clicked, this,
          [this](const QModelIndex& index) { Q_EMIT chosen(static_cast<size_t>(index.row())); });
}

void FindingCards::setEmptyText(const QString& text) {
  emptyText_ = text;
  viewport()->update();
}

void FindingCards::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!isEnter || !currentIndex().isValid()) return QListView::keyPressEvent(event);
  Q_EMIT chosen(static_cast<size_t>(currentIndex().row()));
}

void FindingCards::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(interfaceFont(13));
  painter.setPen(QColor(colours().secondary));
  painter.drawText(viewport()->rect().adjusted(20, 12, -20, -12), Qt::TextWordWrap, emptyText_);
}

void FindingCards::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  scheduleDelayedItemsLayout();
}

}  // namespace jitscope::gui
