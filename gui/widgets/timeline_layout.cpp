#include "gui/widgets/timeline_layout.h"

#include <algorithm>

namespace jitscope::gui {
namespace {

constexpr int kRowGapPx = 2;
constexpr int kLaneGapPx = 10;
constexpr int kCounterPx = 40;
constexpr int kLeastLanePx = 18;  ///< what the title needs
constexpr int kBodyMarginPx = 6;
constexpr double kMostScale = 1.6;  ///< rows grow this much when there is room
constexpr int kOperatorRows = 3;    ///< what a lane shows of nested operators unless expanded

int heightOf(RowKind kind) {
  switch (kind) {
    case RowKind::kKernel:
      return 30;
    case RowKind::kCall:
    case RowKind::kRegion:
      return 18;
    case RowKind::kCompile:
    case RowKind::kCopy:
      return 16;
    case RowKind::kOperator:
      return 15;
    case RowKind::kApi:
      return 10;
  }
  return 16;
}

/// Stacks lanes in one pane; heights grow with `scale`.
class Stack {
 public:
  Stack(const Timeline& timeline, const LayoutRequest& request, double scale, PanePlace& pane)
      : timeline_(timeline), request_(request), scale_(scale), pane_(pane) {}

  void placeAll() {
    pane_.contentHeight = kBodyMarginPx;
    for (size_t lane = 0; lane < timeline_.lanes.size(); ++lane) {
      const bool isCompile = timeline_.lanes[lane].kind == LaneKind::kCompile;
      if (isCompile && pane_.pane == Pane::kEager && !request_.showsCapture) continue;
      place(lane);
    }
  }

 private:
  int scaled(int pixels) const { return static_cast<int>(pixels * scale_); }

  void place(size_t index) {
    const Lane& lane = timeline_.lanes[index];
    const bool isFirst = pane_.lanes.empty();
    LanePlace place{index, pane_.contentHeight, 0, isFirst && lane.kind == LaneKind::kCompile};
    int y = place.top + (place.hasMarks ? TimelineLayout::kMarkPx : 0);
    if (lane.kind == LaneKind::kCounter) y += scaled(kCounterPx);
    int operatorRows = 0;
    for (size_t row = 0; row < lane.rows.size(); ++row) {
      const RowKind kind = lane.rows[row].kind();
      const bool isDeep = kind == RowKind::kOperator && ++operatorRows > kOperatorRows;
      if (isDeep && !request_.isExpanded) continue;
      if (kind == RowKind::kRegion && !hasRegions(lane.rows[row])) continue;
      const int height = scaled(heightOf(kind));
      pane_.rows.push_back({index, row, y, height});
      y += height + kRowGapPx;
    }
    if (y == place.top) return;  // all of its rows are hidden here
    place.height = std::max(y - place.top, kLeastLanePx);
    pane_.lanes.push_back(place);
    pane_.contentHeight = place.top + place.height + scaled(kLaneGapPx);
  }

  bool hasRegions(const EventRow& row) const {
    const auto& step = request_.step[static_cast<size_t>(pane_.pane)];
    if (!step) return true;
    const auto [first, last] = row.touching(*step);
    return first < last;
  }

  const Timeline& timeline_;
  const LayoutRequest& request_;
  double scale_;
  PanePlace& pane_;
};

std::array<PanePlace, 2> stackPanes(const Timeline& timeline, const LayoutRequest& request,
                                    double scale) {
  std::array<PanePlace, 2> panes;
  for (const Pane pane : kPanes) {
    PanePlace& place = panes[static_cast<size_t>(pane)];
    place.pane = pane;
    if (!request.isShown[static_cast<size_t>(pane)]) continue;
    Stack(timeline, request, scale, place).placeAll();
  }
  return panes;
}

}  // namespace

std::optional<Pane> TimelineLayout::paneAt(int y) const {
  for (const PanePlace& place : panes) {
    if (y >= place.headerTop && y < place.bodyTop + place.bodyHeight) return place.pane;
  }
  return std::nullopt;
}

const RowPlace* TimelineLayout::rowAt(Pane pane, int y) const {
  const PanePlace& place = panes[static_cast<size_t>(pane)];
  if (y < place.bodyTop || y >= place.bodyTop + place.bodyHeight) return nullptr;
  const int inContent = y - place.bodyTop + place.scroll;
  for (const RowPlace& row : place.rows) {
    if (inContent >= row.top - 1 && inContent < row.top + row.height + 1) return &row;
  }
  return nullptr;
}

TimelineLayout layoutTimeline(const Timeline& timeline, const LayoutRequest& request) {
  TimelineLayout layout;
  constexpr int kFixed =
      TimelineLayout::kRulerPx + 2 * TimelineLayout::kHeaderPx + TimelineLayout::kPaneGapPx;
  layout.panes = stackPanes(timeline, request, 1);
  const int content = layout.panes[0].contentHeight + layout.panes[1].contentHeight;
  layout.preferredHeight = kFixed + content;
  const int available = std::max(0, request.height - kFixed);
  if (available > content && content > 0) {
    const double scale = std::min(kMostScale, static_cast<double>(available) / content);
    layout.panes = stackPanes(timeline, request, scale);
  }
  auto& [eager, compiled] = layout.panes;
  // A pane gets what it needs; when both cannot, none gets less than half for the other's sake.
  eager.bodyHeight =
      std::min(eager.contentHeight, std::max(available / 2, available - compiled.contentHeight));
  compiled.bodyHeight = std::min(compiled.contentHeight, available - eager.bodyHeight);
  int y = TimelineLayout::kRulerPx;
  for (PanePlace& place : layout.panes) {
    place.headerTop = y;
    place.bodyTop = y + TimelineLayout::kHeaderPx;
    place.scroll =
        std::clamp(request.scroll[static_cast<size_t>(place.pane)], 0, place.scrollLimit());
    y = place.bodyTop + place.bodyHeight + TimelineLayout::kPaneGapPx;
  }
  return layout;
}

}  // namespace jitscope::gui
