#include "gui/widgets/slim_scroll_bar.h"

#include <QPainter>
#include <algorithm>

#include "gui/widgets/palette.h"

namespace jitscope::gui {

SlimScrollBar::SlimScrollBar(QWidget* parent) : QScrollBar(Qt::Vertical, parent) {
  setFixedWidth(sizeHint().width());
  setAttribute(Qt::WA_Hover);
}

void SlimScrollBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(colours().surface));
  const int range = maximum() - minimum();
  if (range <= 0) return;
  const double all = range + pageStep();
  const double length = std::max(24.0, height() * pageStep() / all);
  const double top = (height() - length) * (value() - minimum()) / range;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(underMouse() || isSliderDown() ? colours().secondary : colours().line));
  painter.drawRoundedRect(QRectF(1, top, width() - 2, length), 3, 3);
}

}  // namespace jitscope::gui
