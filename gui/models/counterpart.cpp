#include "gui/models/counterpart.h"

#include <algorithm>

namespace jitscope::gui {
namespace {

/// The event of the same name and ordinal in the other part of the step, within one row.
std::optional<size_t> sameOrdinal(const EventRow& row, size_t index, TimeRange here,
                                  TimeRange there) {
  const EventColumns& events = row.events();
  const auto [firstHere, lastHere] = row.touching(here);
  const auto [firstThere, lastThere] = row.touching(there);
  if (index < firstHere || index >= lastHere) return std::nullopt;
  if (lastHere - firstHere > kMostEventsAtOnce || lastThere - firstThere > kMostEventsAtOnce)
    return std::nullopt;
  const NameId name = events.name[index];
  const auto begin = events.name.begin();
  auto ordinal = std::count(begin + static_cast<std::ptrdiff_t>(firstHere),
                            begin + static_cast<std::ptrdiff_t>(index), name);
  for (size_t i = firstThere; i < lastThere; ++i) {
    if (events.name[i] == name && ordinal-- == 0) return i;
  }
  return std::nullopt;
}

/// The first row of outermost operators in a lane.
const EventRow* operatorRow(const Lane& lane) {
  for (const EventRow& row : lane.rows) {
    if (row.kind() == RowKind::kOperator) return &row;
  }
  return nullptr;
}

}  // namespace

std::optional<TimeRange> counterpart(const Timeline& timeline, const Step& step, const Pick& pick) {
  const auto& here = step.in(pick.pane);
  const auto& there = step.in(otherThan(pick.pane));
  if (pick.kind != Pick::Kind::kEvent || !here || !there) return std::nullopt;
  const Lane& lane = timeline.lanes[pick.lane];
  const EventRow& row = lane.rows[pick.row];
  if (row.kind() == RowKind::kKernel || row.kind() == RowKind::kOperator) {
    const auto index = sameOrdinal(row, pick.index, *here, *there);
    if (!index) return std::nullopt;
    return row.events().at(*index).time;
  }
  const EventRow* operators = operatorRow(lane);
  if (row.kind() != RowKind::kRegion || operators == nullptr) return std::nullopt;
  const auto [first, last] = operators->touching(row.events().at(pick.index).time);
  if (first >= last) return std::nullopt;
  const auto from = sameOrdinal(*operators, first, *here, *there);
  const auto to = sameOrdinal(*operators, last - 1, *here, *there);
  if (!from || !to || *from > *to) return std::nullopt;
  return TimeRange{operators->events().startNs[*from], operators->events().endNs[*to]};
}

}  // namespace jitscope::gui
