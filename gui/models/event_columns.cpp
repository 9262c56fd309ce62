#include "gui/models/event_columns.h"

#include <algorithm>
#include <limits>

namespace jitscope::gui {

void EventColumns::append(const Event& event) {
  startNs.push_back(event.time.startNs);
  endNs.push_back(std::max(event.time.startNs, event.time.endNs));
  name.push_back(event.name);
  source.push_back(event.source);
  category.push_back(event.category);
}

Event EventColumns::at(size_t index) const {
  return {{startNs[index], endNs[index]}, name[index], source[index], category[index]};
}

std::vector<EventColumns> spreadRows(std::vector<Event> events) {
  // The longer of two that start together is the outer one.
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.time.startNs != b.time.startNs ? a.time.startNs < b.time.startNs
                                            : a.time.endNs > b.time.endNs;
  });
  std::vector<EventColumns> rows;
  for (const Event& event : events) {
    auto free = std::find_if(rows.begin(), rows.end(), [&](const EventColumns& row) {
      return row.endNs.back() <= event.time.startNs;
    });
    if (free == rows.end()) free = rows.emplace(rows.end());
    free->append(event);
  }
  return rows;
}

}  // namespace jitscope::gui
