#include "gui/widgets/key_help.h"

#include <QKeyEvent>
#include <QPainter>

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
  hide();
}

void KeyHelp::toggle() {
  if (isVisible()) {
    hide();
    parentWidget()->setFocus();
    return;
  }
  setGeometry(parentWidget()->rect());
  show();
  raise();
  setFocus();
}

void KeyHelp::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(0, 0, 0, 130));
  const auto& keys = timelineKeys();
  QRect box(0, 0, kBoxWidthPx, static_cast<int>(keys.size()) * kLinePx + 64);
  box.moveCenter(rect().center());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QColor(colour::kLine));
  painter.setBrush(QColor(colour::kRaised));
  painter.drawRoundedRect(box, 6, 6);
  painter.setPen(QColor(colour::kText));
  painter.setFont(interfaceFont(14, QFont::Bold));
  painter.drawText(box.left() + 24, box.top() + 34, "Keys");
  int y = box.top() + 44;
  for (const auto& [key, meaning] : keys) {
    painter.setFont(fixedFont(11));
    painter.setPen(QColor(colour::kText));
    painter.drawText(QRect(box.left() + 24, y, kKeysPx, kLinePx), Qt::AlignVCenter, key);
    painter.setFont(interfaceFont(12));
    painter.setPen(QColor(colour::kSecondary));
    painter.drawText(QRect(box.left() + 24 + kKeysPx, y, kBoxWidthPx - kKeysPx - 40, kLinePx),
                     Qt::AlignVCenter, meaning);
    y += kLinePx;
  }
}

void KeyHelp::keyPressEvent(QKeyEvent*) { toggle(); }
void KeyHelp::mousePressEvent(QMouseEvent*) { toggle(); }

}  // namespace jitscope::gui
