#include "gui/widgets/timeline_layout.h"

#include <gtest/gtest.h>

#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

TimelineLayout layout(int height) {
  const auto timeline = smallTimeline();
  LayoutRequest request{height, {}, {true, true}, false, false, {}};
  const Step& step = timeline->tracks[0].steps[0];
  request.step = {step.eager, step.compiled};
  return layoutTimeline(*timeline, request);
}

TEST(TimelineLayout, StacksRulerPanesAndRowsWithoutOverlap) {
  for (const int height : {200, 300, 420, 900}) {
    const TimelineLayout placed = layout(height);
    int end = TimelineLayout::kRulerPx;
    for (const PanePlace& pane : placed.panes) {
      EXPECT_GE(pane.headerTop, end);
      EXPECT_EQ(pane.bodyTop, pane.headerTop + TimelineLayout::kHeaderPx);
      end = pane.bodyTop + pane.bodyHeight;
      int rowEnd = 0;
      for (const RowPlace& row : pane.rows) {
        EXPECT_GE(row.top, rowEnd);
        rowEnd = row.top + row.height;
      }
      EXPECT_LE(rowEnd, pane.contentHeight);
    }
    EXPECT_LE(end, height);
  }
}

TEST(TimelineLayout, ScrollsOnlyWhatHasNoRoom) {
  EXPECT_EQ(layout(900).panes[1].scrollLimit(), 0);
  EXPECT_GT(layout(200).panes[1].scrollLimit(), 0);
}

TEST(TimelineLayout, LetsRowsGrowWithTheRoom) {
  const int preferred = layout(0).preferredHeight;
  EXPECT_GT(layout(preferred * 2).panes[0].rows[0].height,
            layout(preferred).panes[0].rows[0].height);
}

TEST(TimelineLayout, LeavesCompileLaneAndRegionsOutOfAPlainEagerStep) {
  const TimelineLayout placed = layout(900);
  ASSERT_EQ(placed.panes[0].lanes.size(), 1U);
  EXPECT_FALSE(placed.panes[0].lanes[0].hasMarks);
  EXPECT_EQ(placed.panes[0].rows.size() + 1, placed.panes[1].rows.size());
}

TEST(TimelineLayout, PutsTheMarksOfAllProcessesIntoTheFirstCompileLane) {
  Timeline timeline = *smallTimeline();
  const Event compile{{0, 100}, NameId{0}, SourceRow{0}, Category::kCompilePhase};
  for (int process = 0; process < 3; ++process) {
    Lane lane{LaneKind::kCompile, "compile", {}, {}, {}, 0};
    lane.rows.emplace_back(RowKind::kCompile, spreadRows({compile}).front());
    timeline.lanes.push_back(std::move(lane));
  }
  const auto placed = layoutTimeline(timeline, {900, {}, {true, true}, true, false, {}});
  for (const PanePlace& pane : placed.panes) {
    ASSERT_EQ(pane.lanes.size(), 5U);
    for (const LanePlace& lane : pane.lanes) EXPECT_EQ(lane.hasMarks, lane.lane == 0);
  }
}

TEST(TimelineLayout, TellsWhatIsInView) {
  const PanePlace pane = layout(200).panes[1];
  ASSERT_GT(pane.scrollLimit(), 0);
  EXPECT_TRUE(pane.isInView(0, 1));
  EXPECT_TRUE(pane.isInView(pane.bodyHeight - 1, 30));
  EXPECT_FALSE(pane.isInView(pane.bodyHeight, 30));
  EXPECT_FALSE(pane.isInView(-30, 30));
}

TEST(TimelineLayout, FindsTheRowUnderAPoint) {
  const TimelineLayout placed = layout(900);
  for (const PanePlace& pane : placed.panes) {
    for (const RowPlace& row : pane.rows) {
      const RowPlace* found = placed.rowAt(pane.pane, pane.bodyTop + row.top + row.height / 2);
      ASSERT_NE(found, nullptr);
      EXPECT_EQ(found->row, row.row);
      EXPECT_EQ(placed.paneAt(pane.bodyTop + row.top), pane.pane);
    }
  }
  EXPECT_EQ(placed.rowAt(Pane::kEager, 2), nullptr);
  EXPECT_FALSE(placed.paneAt(2).has_value());
}

TEST(TimelineLayout, LeavesALaneOutWhoseRowsAreAllHidden) {
  Timeline timeline;
  Lane lane{LaneKind::kHost, "host 0", {}, {}, {}, 0};
  EventColumns events;
  events.append({{100, 200}});
  lane.rows.emplace_back(RowKind::kRegion, std::move(events));
  timeline.lanes.push_back(std::move(lane));
  LayoutRequest request{500, {}, {true, true}, false, false, {}};
  request.step = {TimeRange{0, 50}, TimeRange{90, 210}};
  const TimelineLayout placed = layoutTimeline(timeline, request);
  EXPECT_TRUE(placed.panes[0].lanes.empty());
  EXPECT_EQ(placed.panes[1].lanes.size(), 1U);
}

TEST(TimelineLayout, ShowsOnlyTheHeaderOfAPaneWithoutCalls) {
  const TimelineLayout placed =
      layoutTimeline(*smallTimeline(), {500, {}, {true, false}, false, false, {}});
  EXPECT_EQ(placed.panes[1].bodyHeight, 0);
  EXPECT_TRUE(placed.panes[1].rows.empty());
}

}  // namespace
}  // namespace jitscope::gui
