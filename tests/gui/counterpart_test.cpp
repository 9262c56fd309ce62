#include "gui/models/counterpart.h"

#include <gtest/gtest.h>

#include "tests/gui/small_timeline.h"

namespace jitscope::gui {
namespace {

constexpr size_t kHostLane = 1, kRegionRow = 1, kOperatorRow = 2;

std::optional<TimeRange> counterpartOf(Pane pane, size_t row, size_t index) {
  const auto timeline = smallTimeline();
  const Pick pick{Pick::Kind::kEvent, pane, kHostLane, row, index};
  return counterpart(*timeline, timeline->tracks[0].steps[0], pick);
}

TEST(Counterpart, FindsTheSameOperatorByNameAndOrdinal) {
  // Events 0 to 2 are the eager mul, mul, mm; 3 to 5 the compiled ones.
  EXPECT_EQ(counterpartOf(Pane::kCompiled, kOperatorRow, 4), (TimeRange{300, 400}));
  EXPECT_EQ(counterpartOf(Pane::kCompiled, kOperatorRow, 5), (TimeRange{500, 900}));
  EXPECT_EQ(counterpartOf(Pane::kEager, kOperatorRow, 0), (TimeRange{10'100, 10'200}));
}

TEST(Counterpart, SpansTheOperatorsThatARegionReplaces) {
  EXPECT_EQ(counterpartOf(Pane::kCompiled, kRegionRow, 0), (TimeRange{100, 400}));
}

TEST(Counterpart, IsAbsentForWhatOnlyOnePaneHas) {
  EXPECT_FALSE(counterpartOf(Pane::kCompiled, kRegionRow, 1).has_value()) << "a break's gap";
  const auto timeline = smallTimeline();
  const Pick mark{Pick::Kind::kMark, Pane::kCompiled, 0, 0, 0};
  EXPECT_FALSE(counterpart(*timeline, timeline->tracks[0].steps[0], mark).has_value());
  EXPECT_FALSE(
      counterpart(*timeline, Step{}, {Pick::Kind::kEvent, Pane::kEager, 1, 2, 0}).has_value());
}

}  // namespace
}  // namespace jitscope::gui
