#include "gui/models/timeline.h"

namespace jitscope::gui {

TimeRange timeOf(const Timeline& timeline, const Pick& pick) {
  if (pick.kind == Pick::Kind::kMark) return timeline.marks[pick.index].time;
  return timeline.lanes[pick.lane].rows[pick.row].events().at(pick.index).time;
}

}  // namespace jitscope::gui
