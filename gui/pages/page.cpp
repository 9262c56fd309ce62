#include "gui/pages/page.h"

namespace jitscope::gui {

void Page::giveKeysTo(QWidget* widget) {
  const QWidget* focused = window()->focusWidget();
  const bool hasKeys = focused == this || isAncestorOf(focused);
  setFocusProxy(widget);
  if (hasKeys) widget->setFocus();
}

}  // namespace jitscope::gui
