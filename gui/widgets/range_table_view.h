#pragma once

#include <QTableView>

namespace jitscope::gui {

/// The numbers of the selected range: one line per name, the panes side by side under headings in
/// their colours. A click on a heading sorts.
class RangeTableView final : public QTableView {
  Q_OBJECT
 public:
  explicit RangeTableView(QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fitColumns();
};

}  // namespace jitscope::gui
