#include "gui/models/event_finder.h"

#include <algorithm>

namespace jitscope::gui {
namespace {

/// Where `name` starts at that moment in a row.
std::optional<size_t> indexOf(const Timeline& timeline, const EventColumns& events,
                              const QString& name, int64_t startNs) {
  auto at = std::lower_bound(events.startNs.begin(), events.startNs.end(), startNs);
  for (; at != events.startNs.end() && *at == startNs; ++at) {
    const auto index = static_cast<size_t>(at - events.startNs.begin());
    if (timeline.nameOf(events.name[index]) == name) return index;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Pick> findEvent(const Timeline& timeline, Pane pane, const QString& name,
                              int64_t startNs) {
  for (size_t lane = 0; lane < timeline.lanes.size(); ++lane) {
    const std::vector<EventRow>& rows = timeline.lanes[lane].rows;
    for (size_t row = 0; row < rows.size(); ++row) {
      const bool isWork =
          rows[row].kind() == RowKind::kKernel || rows[row].kind() == RowKind::kOperator;
      if (!isWork) continue;
      const auto index = indexOf(timeline, rows[row].events(), name, startNs);
      if (index) return Pick{Pick::Kind::kEvent, pane, lane, row, *index};
    }
  }
  return std::nullopt;
}

}  // namespace jitscope::gui
