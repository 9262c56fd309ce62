#include "gui/widgets/page_button.h"

#include <QPainter>

#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kHeightPx = 32;
constexpr int kTextLeftPx = 20;
constexpr int kBarPx = 3;

}  // namespace

PageButton::PageButton(const QString& title, QWidget* parent) : QAbstractButton(parent) {
  setText(title);
  setAccessibleName(title);
  setCheckable(true);
  setAutoExclusive(true);
  setAttribute(Qt::WA_Hover);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

QSize PageButton::sizeHint() const {
  const QFontMetrics metrics(interfaceFont(13, QFont::DemiBold));
  return {metrics.horizontalAdvance(text()) + 2 * kTextLeftPx, kHeightPx};
}

void PageButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (isChecked() || underMouse()) painter.fillRect(rect(), QColor(colours().raised));
  if (isChecked()) painter.fillRect(0, 0, kBarPx, height(), QColor(colourOf(Category::kCompiled)));
  painter.setFont(interfaceFont(13, isChecked() ? QFont::DemiBold : QFont::Normal));
  painter.setPen(QColor(isChecked() ? colours().text : colours().secondary));
  const QRect place = rect().adjusted(kTextLeftPx, 0, -4, 0);
  painter.drawText(place, Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text(), Qt::ElideRight, place.width()));
  if (!hasFocus()) return;
  painter.setPen(QColor(colours().faint));
  painter.drawRect(rect().adjusted(kBarPx + 1, 1, -2, -2));
}

}  // namespace jitscope::gui
