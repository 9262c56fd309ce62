#include "gui/models/timeline.h"

namespace jitscope::gui {

std::optional<RowKind> workOf(const Timeline& timeline) {
  std::optional<RowKind> work;
  for (const Lane& lane : timeline.lanes) {
    for (const EventRow& row : lane.rows) {
      if (row.kind() == RowKind::kKernel) return RowKind::kKernel;
      if (row.kind() == RowKind::kOperator) work = RowKind::kOperator;
    }
  }
  return work;
}

TimeRange timeOf(const Timeline& timeline, const Pick& pick) {
  if (pick.kind == Pick::Kind::kMark) return timeline.marks[pick.index].time;
  return timeline.lanes[pick.lane].rows[pick.row].events().at(pick.index).time;
}

QString nameOf(const Timeline& timeline, const Pick& pick) {
  if (pick.kind == Pick::Kind::kMark) return timeline.marks[pick.index].label;
  return timeline.nameOf(timeline.lanes[pick.lane].rows[pick.row].events().name[pick.index]);
}

}  // namespace jitscope::gui
