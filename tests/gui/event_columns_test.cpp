#include "gui/models/event_columns.h"

#include <gtest/gtest.h>

#include <random>

namespace jitscope::gui {
namespace {

TEST(SpreadRows, PutsANestedEventBelowTheOneAroundIt) {
  const auto rows =
      spreadRows({{{10, 20}, NameId{1}}, {{0, 100}, NameId{0}}, {{30, 40}, NameId{2}}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].size(), 1U);
  EXPECT_EQ(rows[1].size(), 2U);
}

TEST(SpreadRows, TakesTheLongerOfTwoThatStartTogetherAsTheOuterOne) {
  const auto rows = spreadRows({{{0, 5}, NameId{1}}, {{0, 50}, NameId{0}}});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].endNs[0], 50);
}

TEST(SpreadRows, ReadsTimesThatRunBackwardsAsZeroLength) {
  const auto rows = spreadRows({{{10, 3}, NameId{0}}});
  EXPECT_EQ(rows[0].endNs[0], 10);
}

TEST(SpreadRows, KeepsEveryEventAndLetsNoneOverlap) {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Event> events(1 + random() % 200);
    for (Event& event : events) {
      event.time.startNs = random() % 1'000;
      event.time.endNs = event.time.startNs + random() % 80;
    }
    const size_t count = events.size();
    size_t kept = 0;
    for (const EventColumns& row : spreadRows(std::move(events))) {
      kept += row.size();
      for (size_t i = 1; i < row.size(); ++i) ASSERT_LE(row.endNs[i - 1], row.startNs[i]);
    }
    ASSERT_EQ(kept, count);
  }
}

}  // namespace
}  // namespace jitscope::gui
