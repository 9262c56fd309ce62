#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

enum Name : uint32_t { kMul, kMm, kAdd, kStep, kRegion, kGap };

Event event(Name name, int64_t startNs, int64_t endNs, Category category) {
  return {{startNs, endNs}, NameId{name}, SourceRow{0}, category};
}

void addRows(Lane& lane, RowKind kind, std::vector<Event> events) {
  for (EventColumns& columns : spreadRows(std::move(events))) {
    lane.rows.emplace_back(kind, std::move(columns));
  }
}

}  // namespace

std::shared_ptr<const Timeline> smallTimeline() {
  auto timeline = std::make_shared<Timeline>();
  timeline->title = "small.jitscope";
  timeline->names = {"aten::mul", "aten::mm", "aten::add", "step", "region 0/0", "graph break"};
  timeline->extent = {0, 11'000};
  timeline->lanes.push_back({LaneKind::kCompile, "compile", {}, {}, {}, 0});
  Lane host{LaneKind::kHost, "host 0", "main", {}, {}, 0};
  addRows(host, RowKind::kCall,
          {event(kStep, 0, 1'000, Category::kEager),
           event(kStep, 10'000, 10'800, Category::kCompiled)});
  addRows(host, RowKind::kRegion,
          {event(kRegion, 10'050, 10'350, Category::kCompiled),
           event(kGap, 10'350, 10'450, Category::kBreak),
           event(kRegion, 10'450, 10'750, Category::kCompiled)});
  addRows(host, RowKind::kOperator,
          {event(kMul, 100, 300, Category::kEager), event(kMul, 300, 400, Category::kEager),
           event(kMm, 500, 900, Category::kLibrary), event(kAdd, 550, 600, Category::kEager),
           event(kMul, 10'100, 10'200, Category::kCompiled),
           event(kMul, 10'200, 10'300, Category::kCompiled),
           event(kMm, 10'500, 10'700, Category::kLibrary)});
  timeline->lanes.push_back(std::move(host));
  timeline->marks.push_back({MarkKind::kBreak, {10'350, 10'450}, SourceRow{0}, "break"});
  timeline->tracks.push_back(
      alignSteps("step", {{{0, 1'000}, true, false, 0}, {{10'000, 10'800}, false, false, 1}}));
  return timeline;
}

}  // namespace jitscope::gui
