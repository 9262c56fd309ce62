#pragma once

#include <QLabel>

namespace jitscope::gui {

/// One line of text that ends in "…" where there is no room; the whole text is its tool tip.
class ElidedLabel final : public QLabel {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace jitscope::gui
