#pragma once

#include <QImage>
#include <QWidget>
#include <array>
#include <optional>

#include "gui/selection.h"
#include "gui/widgets/timeline_layout.h"

namespace jitscope::gui {

/// The two aligned timelines: ruler, eager pane, compiled pane. Paints the selection's window of
/// time and turns wheel, mouse and keys into changes of the selection (`timelineKeys()` lists
/// them).
class TimelineView final : public QWidget {
  Q_OBJECT
 public:
  explicit TimelineView(Selection* selection, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {500, 200}; }

  /// The time since the step's start under the mouse, while it is over the panes.
  std::optional<int64_t> cursorNs() const;
  /// The event or mark under the mouse.
  std::optional<Pick> hovered() const { return cursor_ ? pickAt(*cursor_) : std::nullopt; }
  const TimelineLayout& placement() const { return layout_; }

 signals:
  void cursorMoved();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Drag {
    enum class Kind { kPan, kRange } kind = Kind::kPan;
    QPoint from;
    TimeAxis axis;
    bool hasMoved = false;
  };

  LayoutRequest request(int heightPx) const;
  void placeAll();
  void repaintLanes();
  QRect bodyOf(const PanePlace& pane) const;

  void paintRuler(QPainter& painter) const;
  void paintPane(QPainter& painter, const PanePlace& pane);
  void paintStepEnds(QPainter& painter, const PanePlace& pane) const;
  void paintPick(QPainter& painter) const;
  void paintBand(QPainter& painter) const;
  void paintRange(QPainter& painter) const;
  void paintCursor(QPainter& painter) const;
  std::optional<QRect> rectOf(const Pick& pick) const;
  std::optional<QRect> counterpartRect(const Pick& pick) const;

  std::optional<Pick> pickAt(QPoint point) const;
  void zoomAt(double factor);
  void scrollBy(Pane pane, int pixels);
  void stepPick(int direction);
  void changeRow(int direction);
  void changeMark(int direction);
  void changeStep(int trackBy, int stepBy);
  bool handleZoomKey(const QKeyEvent& event);
  bool handlePickKey(const QKeyEvent& event);
  bool handleStepKey(const QKeyEvent& event);

  Selection* selection_;
  TimelineLayout layout_;
  std::array<QImage, 2> lanes_;  ///< by Pane; null when it must be painted again
  std::array<int, 2> scroll_{};
  bool isExpanded_ = false;  ///< shows all levels of nested operators
  std::optional<QPoint> cursor_;
  std::optional<Drag> drag_;
};

}  // namespace jitscope::gui
