#include "tests/gui/monkey.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>
#include <array>

namespace jitscope::gui {
namespace {

constexpr qsizetype kKeptActs = 12;

constexpr std::array kKeys{
    Qt::Key_W,    Qt::Key_S,      Qt::Key_A,        Qt::Key_D,     Qt::Key_Plus,  Qt::Key_Minus,
    Qt::Key_Left, Qt::Key_Right,  Qt::Key_Up,       Qt::Key_Down,  Qt::Key_F,     Qt::Key_Home,
    Qt::Key_End,  Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_E,     Qt::Key_X,     Qt::Key_N,
    Qt::Key_R,    Qt::Key_Return, Qt::Key_Escape,   Qt::Key_Tab,   Qt::Key_Space, Qt::Key_Question,
    Qt::Key_F1,   Qt::Key_1,      Qt::Key_9,        Qt::Key_Shift, Qt::Key_C,     Qt::Key_Backtab,
};

constexpr std::array<Qt::KeyboardModifier, 4> kModifiers{Qt::NoModifier, Qt::NoModifier,
                                                         Qt::ShiftModifier, Qt::ControlModifier};

constexpr std::array<Qt::MouseButton, 3> kButtons{Qt::LeftButton, Qt::RightButton,
                                                  Qt::MiddleButton};

}  // namespace

void Monkey::act() {
  const int kind = below(20);
  if (kind < 11)
    pressKey();
  else if (kind < 16)
    useMouse();
  else if (kind < 19)
    turnWheel();
  else
    resize();
  QApplication::processEvents();
}

int Monkey::below(int limit) {
  return static_cast<int>(random_() % static_cast<uint32_t>(std::max(1, limit)));
}

QWidget& Monkey::anyWidget() {
  QList<QWidget*> shown{&window_};
  for (QWidget* widget : window_.findChildren<QWidget*>()) {
    // Dialogs are windows of their own: what they do to files is none of a monkey's business.
    if (widget->isVisible() && widget->window() == &window_) shown << widget;
  }
  return *shown[below(static_cast<int>(shown.size()))];
}

QPoint Monkey::anyPoint(const QWidget& widget) {
  // Beyond the edges too: a drag may end anywhere.
  return {below(widget.width() + 40) - 20, below(widget.height() + 40) - 20};
}

void Monkey::pressKey() {
  const auto key = kKeys[static_cast<size_t>(below(kKeys.size()))];
  const auto modifier = kModifiers[static_cast<size_t>(below(kModifiers.size()))];
  QWidget* target = window_.focusWidget();
  if (target == nullptr) target = &window_;
  note("key " + QKeySequence(key | modifier).toString() + " on " + target->objectName());
  QTest::keyClick(target, key, modifier);
}

void Monkey::useMouse() {
  QWidget& widget = anyWidget();
  const auto button = kButtons[static_cast<size_t>(below(kButtons.size()))];
  const auto modifier = kModifiers[static_cast<size_t>(below(kModifiers.size()))];
  const QPoint from = anyPoint(widget), to = anyPoint(widget);
  note(QString("mouse %1 from %2,%3 to %4,%5 on %6")
           .arg(button)
           .arg(from.x())
           .arg(from.y())
           .arg(to.x())
           .arg(to.y())
           .arg(widget.metaObject()->className()));
  if (below(4) == 0) return QTest::mouseDClick(&widget, button, modifier, from);
  QTest::mousePress(&widget, button, modifier, from);
  if (below(2) == 0) {
    QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, button, modifier);
    QApplication::sendEvent(&widget, &move);
  }
  QTest::mouseRelease(&widget, button, modifier, to);
}

void Monkey::turnWheel() {
  QWidget& widget = anyWidget();
  const QPoint at = anyPoint(widget);
  const QPoint turn(below(3) == 0 ? below(4000) - 2000 : 0, below(4000) - 2000);
  const auto modifier = kModifiers[static_cast<size_t>(below(kModifiers.size()))];
  note(QString("wheel %1,%2 on %3")
           .arg(turn.x())
           .arg(turn.y())
           .arg(widget.metaObject()->className()));
  QWheelEvent event(at, widget.mapToGlobal(at), {}, turn, Qt::NoButton, modifier, Qt::NoScrollPhase,
                    false);
  QApplication::sendEvent(&widget, &event);
}

void Monkey::resize() {
  const QSize size(1 + below(1800), 1 + below(1000));
  note(QString("size %1x%2").arg(size.width()).arg(size.height()));
  window_.resize(size);
}

void Monkey::note(const QString& act) {
  acts_ << act;
  if (acts_.size() > kKeptActs) acts_.removeFirst();
}

}  // namespace jitscope::gui
