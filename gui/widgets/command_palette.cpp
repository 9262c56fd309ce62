#include "gui/widgets/command_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/widgets/palette.h"
#include "gui/widgets/slim_scroll_bar.h"

namespace jitscope::gui {
namespace {

constexpr int kWidthPx = 620;
constexpr int kHeightPx = 420;
constexpr int kTopPx = 60;
constexpr int kRowPx = 28;

class CommandDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    const bool isSelected = option.state & QStyle::State_Selected;
    painter->fillRect(option.rect, QColor(isSelected ? colours().selected : colours().raised));
    QRect box = option.rect.adjusted(12, 0, -12, 0);
    const QString hint = index.data(CommandList::kHintRole).toString();
    painter->setFont(interfaceFont(11));
    painter->setPen(QColor(colours().secondary));
    painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, hint);
    box.setRight(box.right() - painter->fontMetrics().horizontalAdvance(hint) - 12);
    painter->setFont(interfaceFont(13));
    painter->setPen(QColor(colours().text));
    painter->drawText(
        box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, box.width()));
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {option.rect.width(), kRowPx};
  }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QFrame(parent), pattern_(new QLineEdit), list_(new QListView) {
  setObjectName("palette");
  setAccessibleName("Command palette");
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::AlternateBase);
  setFrameShape(QFrame::StyledPanel);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 10, 10, 10);
  column->setSpacing(8);
  pattern_->setPlaceholderText("Type what to do or where to go");
  pattern_->setAccessibleName("Search commands");
  pattern_->setFont(interfaceFont(14));
  list_->setAccessibleName("Commands");
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setModel(&commands_);
  list_->setItemDelegate(new CommandDelegate(this));
  list_->setVerticalScrollBar(new SlimScrollBar);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(pattern_);
  column->addWidget(list_, 1);
  pattern_->installEventFilter(this);
  parent->installEventFilter(this);
  connect(pattern_, &QLineEdit::textChanged, this, [this](const QString& text) {
    commands_.filter(text);
    list_->setCurrentIndex(commands_.index(0));
  });
  connect(list_, &QAbstractItemView::clicked, this, &CommandPalette::run);
  hide();
}

void CommandPalette::open(std::vector<Command> commands) {
  if (isVisible()) return dismiss();
  focusBefore_ = window()->focusWidget();
  commands_.reset(std::move(commands));
  pattern_->clear();
  list_->setCurrentIndex(commands_.index(0));
  place();
  show();
  raise();
  pattern_->setFocus();
}

void CommandPalette::place() {
  const QSize room = parentWidget()->size();
  const int width = std::min(kWidthPx, room.width() - 40);
  setGeometry((room.width() - width) / 2, kTopPx, width,
              std::min(kHeightPx, room.height() - kTopPx - 20));
}

void CommandPalette::dismiss() {
  if (!isVisible()) return;
  hide();
  if (focusBefore_ != nullptr) focusBefore_->setFocus();
}

void CommandPalette::run(const QModelIndex& index) {
  if (!index.isValid()) return;
  const std::function<void()> command = commands_.command(index.row()).run;
  dismiss();
  command();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget()) {
    if (event->type() == QEvent::Resize) place();
    return false;
  }
  // What was clicked has the focus by now, and keeps it.
  if (event->type() == QEvent::FocusOut) hide();
  if (event->type() != QEvent::KeyPress) return false;
  const int row = list_->currentIndex().row(), last = commands_.rowCount() - 1;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      dismiss();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      run(list_->currentIndex());
      return true;
    case Qt::Key_Down:
      list_->setCurrentIndex(commands_.index(std::min(row + 1, last)));
      return true;
    case Qt::Key_Up:
      list_->setCurrentIndex(commands_.index(std::max(row - 1, 0)));
      return true;
    default:
      return false;
  }
}

}  // namespace jitscope::gui
