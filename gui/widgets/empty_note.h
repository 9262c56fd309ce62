#pragma once

#include <QLabel>

namespace jitscope::gui {

/// Says in the middle of a page why there is nothing on it.
class EmptyNote final : public QLabel {
  Q_OBJECT
 public:
  explicit EmptyNote(QWidget* parent = nullptr);
};

}  // namespace jitscope::gui
