#pragma once

#include <QAbstractButton>

namespace jitscope::gui {

/// The name of a page in the page bar; checked: the page that shows, with a bar at its left.
class PageButton final : public QAbstractButton {
  Q_OBJECT
 public:
  explicit PageButton(const QString& title, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace jitscope::gui
