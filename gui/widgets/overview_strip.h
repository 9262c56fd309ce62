#pragma once

#include <QImage>
#include <QWidget>

#include "gui/selection.h"

namespace jitscope::gui {

/// The whole recording in one line: what ran when, the marks above it, and a frame for the window
/// of each pane. A click or drag goes to the nearest step.
class OverviewStrip final : public QWidget {
  Q_OBJECT
 public:
  explicit OverviewStrip(Selection* selection, QWidget* parent = nullptr);

  QSize sizeHint() const override { return {600, 40}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  TimeAxis axis() const;
  void goTo(double x);
  QImage paintRecording() const;

  Selection* selection_;
  QImage recording_;  ///< null when it must be painted again
};

}  // namespace jitscope::gui
