#include "gui/widgets/elided_label.h"

#include <QPainter>

#include "gui/models/tool_tip.h"

namespace jitscope::gui {

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  // Names come from recordings: a "<" in them is no markup.
  setTextFormat(Qt::PlainText);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font());
  painter.setPen(palette().color(foregroundRole()));
  const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
  setToolTip(shown == text() ? QString() : toolTipOf(text()));
  painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, shown);
}

}  // namespace jitscope::gui
