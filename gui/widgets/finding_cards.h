#pragma once

#include <QListView>

namespace jitscope::gui {

/// The findings with cause and fix, worst first: title, cost and place, then a sentence each.
class FindingCards final : public QListView {
  Q_OBJECT
 public:
  explicit FindingCards(QWidget* parent = nullptr);

  /// What stands here when there is no finding.
  const QString& emptyText() const { return emptyText_; }
  void setEmptyText(const QString& text);

 signals:
  /// A click, or Enter.
  void chosen(size_t row);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QString emptyText_;
};

}  // namespace jitscope::gui
