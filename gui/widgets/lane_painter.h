#pragma once

#include <QImage>
#include <vector>

#include "gui/models/timeline.h"
#include "gui/widgets/timeline_layout.h"

namespace jitscope::gui {

/// What to paint of one pane. `axis` counts since the epoch and in device pixels; the ruler counts
/// from `originNs`.
struct PaneScene {
  const Timeline& timeline;
  const PanePlace& place;
  TimeAxis axis;
  int64_t originNs = 0;
  double pixelRatio = 1;
};

/// Paints the rows and counters of a pane, with the labels of what is wide enough, as a picture of
/// the body's size. Touches no widget, so that any thread may call it.
QImage paintLanes(const PaneScene& scene);

}  // namespace jitscope::gui
