#pragma once

#include <QScrollBar>

namespace jitscope::gui {

/// A vertical scroll bar without arrows: a narrow handle, brighter under the mouse.
class SlimScrollBar final : public QScrollBar {
  Q_OBJECT
 public:
  explicit SlimScrollBar(QWidget* parent = nullptr);

  QSize sizeHint() const override { return {8, 40}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace jitscope::gui
