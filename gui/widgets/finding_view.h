#pragma once

#include <QListView>

namespace jitscope::gui {

/// The findings at the left: a dot in the colour of the kind, the title, what it costs, where it
/// is.
class FindingListView final : public QListView {
  Q_OBJECT
 public:
  explicit FindingListView(QWidget* parent = nullptr);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
};

}  // namespace jitscope::gui
