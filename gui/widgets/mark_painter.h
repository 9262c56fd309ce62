#pragma once

#include <QPainter>
#include <QRect>

#include "gui/models/timeline.h"

namespace jitscope::gui {

/// Paints the marks of a pane: a triangle and a word on the line at `markTop`, a dashed line
/// through `body`. Marks that fall on one another become one with a count. `axis` counts since the
/// epoch.
void paintMarks(QPainter& painter, const Timeline& timeline, const TimeAxis& axis, QRect body,
                int markTop);

/// The mark nearest to `pixel` of `axis`, not more than `tolerancePx` away.
std::optional<size_t> markAt(const Timeline& timeline, const TimeAxis& axis, double pixel,
                             double tolerancePx);

}  // namespace jitscope::gui
