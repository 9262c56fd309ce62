#pragma once

#include <QPointer>
#include <QWidget>

namespace jitscope::gui {

/// Lists the keys over its parent, whatever size that takes; a key or click hides it.
class KeyHelp final : public QWidget {
  Q_OBJECT
 public:
  explicit KeyHelp(QWidget* parent);

  /// Covers the parent and takes the focus, or hides and gives the focus back.
  void toggle();

  bool eventFilter(QObject* watched, QEvent* event) override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  QPointer<QWidget> focusBefore_;
};

}  // namespace jitscope::gui
