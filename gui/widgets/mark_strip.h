#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "gui/selection.h"

namespace jitscope::gui {

/// Breaks and recompiles over the whole recording, a line each. A click goes to the nearest one on
/// the timelines; so do the arrow keys and Enter.
class MarkStrip final : public QWidget {
  Q_OBJECT
 public:
  explicit MarkStrip(Selection* selection, QWidget* parent = nullptr);

  /// What stands here when there is no mark.
  const QString& emptyText() const { return emptyText_; }
  void setEmptyText(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  int pixelOf(int64_t timeNs) const;
  /// Finds anew which pixels have marks; there can be far more marks than pixels.
  void fillPixels();
  void paintMarks(QPainter& painter, MarkKind kind, int top) const;
  void paintAxis(QPainter& painter) const;
  const std::vector<Mark>& marks() const;
  void move(int step);
  void choose();

  Selection* selection_;
  std::map<MarkKind, std::vector<bool>> isMarked_;  ///< by pixel
  size_t current_ = 0;                              ///< the mark that the keys stand at
  QString emptyText_;
};

}  // namespace jitscope::gui
