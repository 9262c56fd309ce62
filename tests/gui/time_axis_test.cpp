#include "gui/models/time_axis.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jitscope::gui {
namespace {

struct Place {
  const char* name;
  TimeRange visible;
  int widthPx;
  int64_t timeNs;
  double pixel;
};

class TimeAxisMaps : public testing::TestWithParam<Place> {};

TEST_P(TimeAxisMaps, TimeToPixelAndBack) {
  const TimeAxis axis(GetParam().visible, GetParam().widthPx);
  EXPECT_DOUBLE_EQ(axis.toPixel(GetParam().timeNs), GetParam().pixel);
  EXPECT_EQ(axis.toTime(GetParam().pixel), GetParam().timeNs);
}

INSTANTIATE_TEST_SUITE_P(
    Places, TimeAxisMaps,
    testing::Values(Place{"left", {0, 1'000}, 100, 0, 0},
                    Place{"right", {0, 1'000}, 100, 1'000, 100},
                    Place{"middle", {0, 1'000}, 100, 250, 25},
                    Place{"before", {500, 1'500}, 100, 0, -50},
                    Place{"after", {500, 1'500}, 100, 2'500, 200},
                    Place{"epoch",
                          {1'700'000'000'000'000'000, 1'700'000'000'000'001'000},
                          1'000,
                          1'700'000'000'000'000'123,
                          123},
                    Place{"hours", {0, 36'000'000'000'000}, 1'000, 18'000'000'000'000, 500}),
    [](const auto& info) { return info.param.name; });

TEST(TimeAxis, ZoomsWithTheTimeUnderTheCursorInItsPlace) {
  const TimeAxis axis({0, 1'000'000}, 1'000);
  for (const double pixel : {0.0, 100.0, 731.0, 1'000.0}) {
    const TimeAxis nearer = axis.zoomed(0.5, pixel);
    EXPECT_EQ(nearer.toTime(pixel), axis.toTime(pixel));
    EXPECT_DOUBLE_EQ(nearer.spanNs(), 500'000);
    EXPECT_EQ(nearer.zoomed(2, pixel), axis);
  }
}

TEST(TimeAxis, NeverZoomsBelowTheShortestSpan) {
  TimeAxis axis({0, 1'000}, 100);
  for (int i = 0; i < 100; ++i) axis = axis.zoomed(0.5, 50);
  EXPECT_DOUBLE_EQ(axis.spanNs(), TimeAxis::kShortestSpanNs);
}

TEST(TimeAxis, PansByPixels) {
  EXPECT_EQ(TimeAxis({0, 1'000}, 100).panned(10).startNs(), 100);
  EXPECT_EQ(TimeAxis({0, 1'000}, 100).panned(-10).startNs(), -100);
}

TEST(TimeAxis, StaysWithinLimits) {
  const TimeRange limits{-100, 900};
  EXPECT_EQ(TimeAxis({-500, -100}, 100).clampedTo(limits).startNs(), -100);
  EXPECT_EQ(TimeAxis({800, 1'200}, 100).clampedTo(limits).startNs(), 500);
  EXPECT_EQ(TimeAxis({-5'000, 5'000}, 100).clampedTo(limits).spanNs(), 1'000);
  const TimeAxis inside({0, 400}, 100);
  EXPECT_EQ(inside.clampedTo(limits), inside);
}

TEST(TimeAxis, MakesEveryAxisUsable) {
  const TimeAxis axis({10, 10}, 0);
  EXPECT_EQ(axis.widthPx(), 1);
  EXPECT_DOUBLE_EQ(axis.spanNs(), TimeAxis::kShortestSpanNs);
}

TEST(TimeAxis, BearsAnyWheelAndDrag) {
  constexpr int64_t kLatestNs = 7'000'000'000'000'000'000;
  for (const TimeAxis& axis : {TimeAxis({0, 100}, 1), TimeAxis({0, kLatestNs}, 1),
                               TimeAxis({kLatestNs, kLatestNs + 1'000}, 900)}) {
    for (const double by : {-1e30, -1e9, 0.0, 1e-30, 1e9, 1e30}) {
      for (const TimeAxis& moved : {axis.zoomed(std::abs(by), 450), axis.panned(by)}) {
        EXPECT_GE(moved.spanNs(), TimeAxis::kShortestSpanNs);
        const TimeAxis back = moved.clampedTo({0, kLatestNs});
        EXPECT_GE(back.startNs(), 0);
        EXPECT_LE(ticks(back, 90).size(), 100U);
      }
      EXPECT_LE(std::abs(static_cast<double>(axis.toTime(by) - axis.startNs())), 9e18);
    }
  }
}

TEST(Ticks, StandAtRoundTimesFarEnoughApart) {
  const TimeAxis axis({-40'000, 1'400'000}, 900);
  const auto all = ticks(axis, 90);
  ASSERT_EQ(all.size(), 8U);
  EXPECT_EQ(all.front().timeNs, 0);
  EXPECT_EQ(all.front().label, "0 µs");
  EXPECT_EQ(all[1].label, "200 µs");
  EXPECT_EQ(all.back().label, "1,400 µs");
}

TEST(Ticks, KeepTheirDistanceAtEveryZoom) {
  for (double spanNs = 100; spanNs < 1e13; spanNs *= 1.7) {
    const TimeAxis axis({0, static_cast<int64_t>(spanNs)}, 1'000);
    const auto all = ticks(axis, 80);
    ASSERT_FALSE(all.empty());
    for (size_t i = 1; i < all.size(); ++i) {
      ASSERT_GE(axis.toPixel(all[i].timeNs) - axis.toPixel(all[i - 1].timeNs), 79.9);
      ASSERT_NE(all[i].label, all[i - 1].label) << spanNs;
    }
  }
}

}  // namespace
}  // namespace jitscope::gui
