#include "gui/widgets/page_parts.h"

#include <QLabel>
#include <QPushButton>

#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr int kButtonPaddingPx = 20;  ///< both sides together

}  // namespace

QLabel* secondaryLabel(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(interfaceFont(12));
  label->setForegroundRole(QPalette::PlaceholderText);
  label->setTextFormat(Qt::PlainText);
  return label;
}

QPushButton* paddedButton(const QString& text, const QString& name, const QString& toolTip) {
  auto* button = new QPushButton(text);
  button->setObjectName(name);
  button->setToolTip(toolTip);
  button->setMinimumWidth(button->sizeHint().width() + kButtonPaddingPx);
  return button;
}

QWidget* tableGround() {
  auto* ground = new QWidget;
  ground->setAutoFillBackground(true);
  ground->setBackgroundRole(QPalette::Base);
  return ground;
}

}  // namespace jitscope::gui
