#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gui/models/timeline.h"

namespace jitscope::gui {

/// Where one row of events stands, in pixels from the top of its pane's content.
struct RowPlace {
  size_t lane = 0;
  size_t row = 0;
  int top = 0;
  int height = 0;
};

/// Where a lane stands, in pixels from the top of its pane's content. Marks stand at its top when
/// `hasMarks`: those of all processes in the first compile lane. A counter lane has no rows.
struct LanePlace {
  size_t lane = 0;
  int top = 0;
  int height = 0;
  bool hasMarks = false;
};

/// One pane: a header and below it a body that shows a part of the content.
struct PanePlace {
  Pane pane = Pane::kEager;
  int headerTop = 0;
  int bodyTop = 0;
  int bodyHeight = 0;
  int contentHeight = 0;
  int scroll = 0;
  std::vector<LanePlace> lanes;
  std::vector<RowPlace> rows;

  int scrollLimit() const { return contentHeight > bodyHeight ? contentHeight - bodyHeight : 0; }
  /// Whether the body shows any of what stands at `top` of the content.
  bool isInView(int top, int height) const {
    return top + height > scroll && top < scroll + bodyHeight;
  }
};

/// The vertical order of the timelines: ruler, eager pane, compiled pane.
struct TimelineLayout {
  static constexpr int kTitlePx = 148;  ///< the column of titles at the left
  static constexpr int kRulerPx = 26;
  static constexpr int kHeaderPx = 26;
  static constexpr int kPaneGapPx = 10;
  static constexpr int kMarkPx = 18;  ///< the line of marks in a compile lane

  std::array<PanePlace, 2> panes;
  int preferredHeight = 0;  ///< what would show everything

  /// The pane whose header or body is at `y`.
  std::optional<Pane> paneAt(int y) const;
  /// The row at `y` of the widget, within `pane`.
  const RowPlace* rowAt(Pane pane, int y) const;
};

/// What to lay out.
struct LayoutRequest {
  int height = 0;
  std::array<int, 2> scroll{};    ///< by Pane; brought into range
  std::array<bool, 2> isShown{};  ///< by Pane; of a pane that is not, only the header stands
  bool showsCapture = false;      ///< the eager pane shows compilations: with their lanes
  bool isExpanded = false;        ///< all levels of nested operators, not only the first few
  /// By Pane: the step in it. A row of regions stands only where the step has regions.
  std::array<std::optional<TimeRange>, 2> step;
};

/// Places everything of `timeline`.
TimelineLayout layoutTimeline(const Timeline& timeline, const LayoutRequest& request);

}  // namespace jitscope::gui
