#pragma once

#include <optional>

#include "gui/models/timeline.h"

namespace jitscope::gui {

/// The event of a name that starts at a moment (since the epoch), for `pane`; none when the
/// timelines do not show it.
std::optional<Pick> findEvent(const Timeline& timeline, Pane pane, const QString& name,
                              int64_t startNs);

}  // namespace jitscope::gui
