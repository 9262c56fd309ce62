#include "gui/models/range_statistics.h"

#include <gtest/gtest.h>

#include "gui/models/step_detail.h"
#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

RangeStatistics both(TimeRange eager, TimeRange compiled) {
  RangeStatistics wanted;
  wanted.range = {eager, compiled};
  return rangeStatistics(*smallTimeline(), wanted);
}

const RangeLine* lineOf(const RangeStatistics& statistics, const QString& name) {
  const auto timeline = smallTimeline();
  for (const RangeLine& line : statistics.lines) {
    if (timeline->nameOf(line.name) == name) return &line;
  }
  return nullptr;
}

TEST(RangeStatistics, CountsOutermostOperatorsOfBothPanes) {
  const RangeStatistics statistics = both({0, 1'000}, {10'000, 10'800});
  const RangeLine* mul = lineOf(statistics, "aten::mul");
  ASSERT_NE(mul, nullptr);
  EXPECT_EQ(mul->in[0].count, 2);
  EXPECT_EQ(mul->in[0].sumNs, 300);
  EXPECT_EQ(mul->in[1].sumNs, 200);
  EXPECT_EQ(lineOf(statistics, "aten::add"), nullptr) << "it is nested in aten::mm";
  EXPECT_EQ(statistics.busyNs[0], 700);
  EXPECT_EQ(statistics.workCount[1], 3);
  EXPECT_EQ(statistics.work, RowKind::kOperator);
}

TEST(RangeStatistics, KnowsOfNoWorkWhereNoneWasRecorded) {
  Timeline timeline = *smallTimeline();
  std::erase_if(timeline.lanes[1].rows,
                [](const EventRow& row) { return row.kind() == RowKind::kOperator; });
  RangeStatistics wanted;
  wanted.range = {TimeRange{0, 1'000}, TimeRange{10'000, 10'800}};
  const RangeStatistics statistics = rangeStatistics(timeline, wanted);
  EXPECT_FALSE(statistics.work.has_value());
  EXPECT_FALSE(statistics.lines.empty()) << "the break";
}

TEST(StepDetail, DoesNotTellIdleTimeWhereNoWorkWasRecorded) {
  Timeline timeline = *smallTimeline();
  EXPECT_TRUE(detailText(stepDetail(timeline, timeline.tracks[0], 0)).contains("in between"));
  std::erase_if(timeline.lanes[1].rows,
                [](const EventRow& row) { return row.kind() == RowKind::kOperator; });
  const QString text = detailText(stepDetail(timeline, timeline.tracks[0], 0));
  EXPECT_FALSE(text.contains("in between")) << text.toStdString();
  EXPECT_FALSE(text.contains("operators")) << text.toStdString();
  EXPECT_TRUE(text.contains("break: 100 ns")) << text.toStdString();
}

TEST(RangeStatistics, CountsGapsOfBreaksButNoRegions) {
  const RangeStatistics statistics = both({0, 1'000}, {10'000, 10'800});
  ASSERT_NE(lineOf(statistics, "graph break"), nullptr);
  EXPECT_EQ(lineOf(statistics, "graph break")->in[1].sumNs, 100);
  EXPECT_EQ(lineOf(statistics, "region 0/0"), nullptr);
}

TEST(RangeStatistics, ClipsEventsToTheRange) {
  const RangeStatistics statistics = both({200, 350}, {10'150, 10'250});
  EXPECT_EQ(lineOf(statistics, "aten::mul")->in[0].sumNs, 150);
  EXPECT_EQ(lineOf(statistics, "aten::mul")->in[1].sumNs, 100);
}

TEST(RangeStatistics, PutsTheMostTimeFirst) {
  const RangeStatistics statistics = both({0, 1'000}, {10'000, 10'800});
  for (size_t i = 1; i < statistics.lines.size(); ++i) {
    const auto weight = [&](size_t at) {
      return statistics.lines[at].in[0].sumNs + statistics.lines[at].in[1].sumNs;
    };
    EXPECT_GE(weight(i - 1), weight(i));
  }
}

TEST(RangeStatistics, LeavesAPaneOutThatHasNoRange) {
  RangeStatistics wanted;
  wanted.range[0] = TimeRange{0, 1'000};
  const RangeStatistics statistics = rangeStatistics(*smallTimeline(), wanted);
  EXPECT_EQ(statistics.workCount[1], 0);
  EXPECT_EQ(rangeCost(*smallTimeline(), wanted), 3U);
}

}  // namespace
}  // namespace jitscope::gui
