#pragma once

#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <random>

namespace jitscope::gui {

/// Works a window at random: keys, mouse and wheel on whatever is there, and sizes of the window.
/// The same seed does the same to the same window.
class Monkey {
 public:
  Monkey(QWidget& window, uint32_t seed) : window_(window), random_(seed) {}

  /// Does one thing and lets the window answer.
  void act();

  /// What it did last, the latest at the end: for the message of a failure.
  QString lastActs() const { return acts_.join("; "); }

 private:
  int below(int limit);
  QWidget& anyWidget();
  QPoint anyPoint(const QWidget& widget);
  void pressKey();
  void useMouse();
  void turnWheel();
  void resize();
  void note(const QString& act);

  QWidget& window_;
  std::mt19937 random_;
  QStringList acts_;
};

}  // namespace jitscope::gui
