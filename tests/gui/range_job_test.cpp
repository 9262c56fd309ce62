#include "gui/loading/range_job.h"

#include <gtest/gtest.h>

#include <QThreadPool>

#include "gui/screenshot.h"
#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

/// So many operators that they are counted on a worker.
std::shared_ptr<const Timeline> largeTimeline() {
  auto timeline = std::make_shared<Timeline>(*smallTimeline());
  std::vector<Event> events;
  for (int64_t i = 0; i < 300'000; ++i) {
    events.push_back({{i * 10, i * 10 + 9}, NameId{0}, SourceRow{0}, Category::kEager});
  }
  Lane lane{LaneKind::kHost, "host 1", {}, {}, {}, 0};
  lane.rows.emplace_back(RowKind::kOperator, spreadRows(std::move(events)).front());
  timeline->lanes.push_back(std::move(lane));
  return timeline;
}

RangeStatistics wanted(TimeRange range) {
  RangeStatistics statistics;
  statistics.range[0] = range;
  return statistics;
}

class RangeJobTest : public testing::Test {
 protected:
  RangeJobTest() {
    QObject::connect(&job, &RangeJob::ready, &job,
                     [this](const auto&, const RangeStatistics& statistics) { last = statistics; });
  }

  RangeJob job;
  RangeStatistics last;
};

TEST_F(RangeJobTest, CountsSmallRangesAtOnceAndLargeOnesOnAWorker) {
  const auto timeline = largeTimeline();
  job.request(timeline, wanted({0, 1'000}));
  EXPECT_EQ(last.range[0], (TimeRange{0, 1'000}));
  job.request(timeline, wanted({0, 3'000'000}));
  EXPECT_EQ(last.range[0], (TimeRange{0, 1'000}));
  settlePages();
  EXPECT_EQ(last.range[0], (TimeRange{0, 3'000'000}));
  EXPECT_GE(last.workCount[0], 300'000);
}

TEST_F(RangeJobTest, LetsTheNewestRequestHaveTheLastWord) {
  const auto timeline = largeTimeline();
  job.request(timeline, wanted({0, 3'000'000}));
  // The worker is done, but its result has not been delivered yet.
  QThreadPool::globalInstance()->waitForDone();
  job.request(timeline, wanted({0, 1'000}));
  settlePages();
  EXPECT_EQ(last.range[0], (TimeRange{0, 1'000}));
}

}  // namespace
}  // namespace jitscope::gui
