#pragma once

#include <QPainter>

#include "gui/selection.h"
#include "gui/widgets/timeline_layout.h"

namespace jitscope::gui {

/// Paints the header of a pane in its whole width: which step of which frame, how long, how much
/// work; or why there is nothing.
void paintPaneHeader(QPainter& painter, const Selection& selection, const PanePlace& pane,
                     int widthPx);

/// Paints the titles of a pane's lanes at its left, and at the right edge how far it is scrolled.
void paintLaneTitles(QPainter& painter, const Timeline& timeline, const PanePlace& pane,
                     int widthPx);

}  // namespace jitscope::gui
