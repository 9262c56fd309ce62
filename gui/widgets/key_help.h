#pragma once

#include <QWidget>

namespace jitscope::gui {

/// Lists the keys over the window; a key or click hides it.
class KeyHelp final : public QWidget {
  Q_OBJECT
 public:
  explicit KeyHelp(QWidget* parent);

  /// Covers the parent and shows itself, or hides.
  void toggle();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
};

}  // namespace jitscope::gui
