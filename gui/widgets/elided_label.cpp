#include "gui/widgets/elided_label.h"

#include <QPainter>

namespace jitscope::gui {

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  painter.setPen(palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
  setToolTip(shown == text() ? QString() : text());
  painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, shown);
}

}  // namespace jitscope::gui
