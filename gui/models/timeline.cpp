#include "gui/models/timeline.h"

namespace jitscope::gui {

TimeRange timeOf(const Timeline& timeline, const Pick& pick) {
  if (pick.kind == Pick::Kind::kMark) return timeline.marks[pick.index].time;
  return timeline.lanes[pick.lane].rows[pick.row].events().at(pick.index).time;
}

QString nameOf(const Timeline& timeline, const Pick& pick) {
  if (pick.kind == Pick::Kind::kMark) return timeline.marks[pick.index].label;
  return timeline.nameOf(timeline.lanes[pick.lane].rows[pick.row].events().name[pick.index]);
}

}  // namespace jitscope::gui
