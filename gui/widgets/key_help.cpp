#include "gui/widgets/key_help.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "gui/widgets/palette.h"
#include "gui/widgets/timeline_keys.h"

namespace jitscope::gui {
namespace {

constexpr int kLinePx = 24;
constexpr int kBoxWidthPx = 620;
constexpr int kKeysPx = 200;

}  // namespace

KeyHelp::KeyHelp(QWidget* parent) : QWidget(parent) {
  setObjectName("keys");
  setFocusPolicy(Qt::StrongFocus);
  parent->installEventFilter(this);
  hide();
}

void KeyHelp::toggle() {
  if (isVisible()) {
    hide();
    if (focusBefore_ != nullptr) focusBefore_->setFocus();
    return;
  }
  focusBefore_ = window()->focusWidget();
  setGeometry(parentWidget()->rect());
  show();
  raise();
  setFocus();
}

bool KeyHelp::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

void KeyHelp::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), translucent(colours().veil, 0.5F));
  const auto& keys = timelineKeys();
  QRect box(0, 0, kBoxWidthPx, static_cast<int>(keys.size()) * kLinePx + 64);
  box.moveCenter(rect().center());
  // Where the window is smaller than the list, its start is what shows.
  box.moveTopLeft({std::max(0, box.left()), std::max(0, box.top())});
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QColor(colours().line));
  painter.setBrush(QColor(colours().raised));
  painter.drawRoundedRect(box, 6, 6);
  painter.setPen(QColor(colours().text));
  painter.setFont(interfaceFont(14, QFont::Bold));
  painter.drawText(box.left() + 24, box.top() + 34, "Keys");
  int y = box.top() + 44;
  for (const auto& [key, meaning] : keys) {
    painter.setFont(fixedFont(11));
    painter.setPen(QColor(colours().text));
    painter.drawText(QRect(box.left() + 24, y, kKeysPx, kLinePx), Qt::AlignVCenter, key);
    painter.setFont(interfaceFont(12));
    painter.setPen(QColor(colours().secondary));
    painter.drawText(QRect(box.left() + 24 + kKeysPx, y, kBoxWidthPx - kKeysPx - 40, kLinePx),
                     Qt::AlignVCenter, meaning);
    y += kLinePx;
  }
}

void KeyHelp::keyPressEvent(QKeyEvent* event) {
  // Of Shift and ? the first one arrives alone: it must not hide what ? would then show again.
  for (const int modifier :
       {Qt::Key_Shift, Qt::Key_Control, Qt::Key_Alt, Qt::Key_AltGr, Qt::Key_Meta}) {
    if (event->key() == modifier) return;
  }
  toggle();
}

void KeyHelp::mousePressEvent(QMouseEvent*) { toggle(); }

}  // namespace jitscope::gui
