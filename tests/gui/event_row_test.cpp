#include "gui/models/event_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace jitscope::gui {
namespace {

/// Events of random lengths and gaps, from 0 on.
EventColumns randomEvents(std::mt19937& random, size_t count, int64_t longestNs) {
  EventColumns events;
  int64_t nowNs = 0;
  for (size_t i = 0; i < count; ++i) {
    nowNs += static_cast<int64_t>(random() % static_cast<uint32_t>(longestNs));
    const auto lengthNs = static_cast<int64_t>(random() % static_cast<uint32_t>(longestNs));
    events.append({{nowNs, nowNs + lengthNs},
                   NameId{0},
                   SourceRow{0},
                   static_cast<Category>(random() % kCategoryCount)});
    nowNs += lengthNs;
  }
  return events;
}

double total(const RowPicture& picture) {
  double sum = 0;
  for (const Shares& shares : picture.columns) {
    for (const float share : shares) sum += share;
  }
  return sum;
}

/// What fills the pixels when every event is looked at: boxes apart, narrow events summed up.
struct Naive {
  std::vector<size_t> boxes;
  std::vector<double> filled;
};

Naive naive(const EventColumns& events, const TimeAxis& axis) {
  Naive result;
  result.filled.resize(static_cast<size_t>(axis.widthPx()));
  for (size_t i = 0; i < events.size(); ++i) {
    if (events.endNs[i] < axis.startNs() || events.startNs[i] > axis.endNs()) continue;
    const double from = axis.toPixel(events.startNs[i]), to = axis.toPixel(events.endNs[i]);
    if (to - from >= EventRow::kBoxPx) {
      result.boxes.push_back(i);
      continue;
    }
    for (int x = std::max(0, static_cast<int>(from)); x < axis.widthPx() && x < to; ++x) {
      result.filled[static_cast<size_t>(x)] += std::min(to, x + 1.0) - std::max<double>(from, x);
    }
  }
  return result;
}

struct Zoom {
  const char* name;
  double share;  ///< of the whole time that is in view
};

class EventRowDraws : public testing::TestWithParam<Zoom> {};

TEST_P(EventRowDraws, WhatANaiveDrawingDraws) {
  std::mt19937 random(7);
  for (const size_t count : {1U, 15U, 16U, 17U, 300U, 20'000U}) {
    const EventColumns events = randomEvents(random, count, 1'000);
    const EventRow row(RowKind::kOperator, events);
    const int64_t endNs = events.endNs.back();
    const auto spanNs =
        std::max<int64_t>(100, static_cast<int64_t>(static_cast<double>(endNs) * GetParam().share));
    const auto startNs = static_cast<int64_t>(
        random() % static_cast<uint64_t>(std::max<int64_t>(1, endNs - spanNs + 1)));
    const TimeAxis axis({startNs, startNs + spanNs}, 800);
    RowPicture picture;
    row.draw(axis, picture);
    const Naive expected = naive(events, axis);
    std::vector<size_t> boxes;
    for (const EventBox& box : picture.boxes) boxes.push_back(box.index);
    EXPECT_EQ(boxes, expected.boxes) << count << " events";
    // Blocks below three pixels are smeared, so columns agree up to that, summed from the left.
    double drawn = 0, wanted = 0;
    for (size_t x = 0; x < picture.columns.size(); ++x) {
      for (const float share : picture.columns[x]) drawn += share;
      wanted += expected.filled[x];
      ASSERT_NEAR(drawn, wanted, 3.1 + wanted * 0.02) << count << " events, column " << x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Zooms, EventRowDraws,
                         testing::Values(Zoom{"all", 1.0}, Zoom{"half", 0.5}, Zoom{"tenth", 0.1},
                                         Zoom{"hundredth", 0.01}, Zoom{"few", 0.0005}),
                         [](const auto& info) { return info.param.name; });

TEST(EventRow, KeepsSharesOfCategoriesThroughAllLevels) {
  EventColumns events;
  for (int64_t i = 0; i < 40'000; ++i) {
    const auto category = i % 4 == 0 ? Category::kBreak : Category::kEager;
    events.append({{i * 100, i * 100 + 50}, NameId{0}, SourceRow{0}, category});
  }
  const EventRow row(RowKind::kOperator, std::move(events));
  RowPicture picture;
  row.draw(TimeAxis({0, 4'000'000}, 100), picture);
  double ofBreaks = 0;
  for (const Shares& shares : picture.columns)
    ofBreaks += shares[static_cast<size_t>(Category::kBreak)];
  EXPECT_NEAR(total(picture), 50, 0.5);
  EXPECT_NEAR(ofBreaks, 12.5, 0.5);
}

TEST(EventRow, ShowsASingleNanosecondAmongHours) {
  EventColumns events;
  events.append(
      {{3'600'000'000'000, 3'600'000'000'001}, NameId{0}, SourceRow{0}, Category::kBreak});
  const EventRow row(RowKind::kOperator, std::move(events));
  RowPicture picture;
  row.draw(TimeAxis({0, 7'200'000'000'000}, 1000), picture);
  EXPECT_GT(picture.columns[500][static_cast<size_t>(Category::kBreak)], 0);
}

TEST(EventRow, FindsTheNearestEventWithinTheTolerance) {
  std::mt19937 random(11);
  const EventColumns events = randomEvents(random, 500, 200);
  const EventRow row(RowKind::kOperator, events);
  for (int round = 0; round < 2'000; ++round) {
    const auto timeNs =
        static_cast<int64_t>(random() % static_cast<uint64_t>(events.endNs.back() + 200));
    const int64_t toleranceNs = random() % 60;
    int64_t bestNs = toleranceNs + 1;
    for (size_t i = 0; i < events.size(); ++i) {
      bestNs = std::min(
          bestNs, std::max({int64_t{0}, timeNs - events.endNs[i], events.startNs[i] - timeNs}));
    }
    const auto found = row.eventAt(timeNs, toleranceNs);
    ASSERT_EQ(found.has_value(), bestNs <= toleranceNs);
    if (!found) continue;
    const int64_t distanceNs =
        std::max({int64_t{0}, timeNs - events.endNs[*found], events.startNs[*found] - timeNs});
    ASSERT_EQ(distanceNs, bestNs);
  }
}

TEST(EventRow, SumsARangeAsANaiveScanDoes) {
  std::mt19937 random(13);
  const EventColumns events = randomEvents(random, 3'000, 300);
  const EventRow row(RowKind::kOperator, events);
  for (int round = 0; round < 500; ++round) {
    const auto limit = static_cast<uint64_t>(events.endNs.back());
    auto a = static_cast<int64_t>(random() % limit), b = static_cast<int64_t>(random() % limit);
    if (a > b) std::swap(a, b);
    RangeSum expected;
    for (size_t i = 0; i < events.size(); ++i) {
      if (events.endNs[i] <= a || events.startNs[i] >= b) continue;
      ++expected.count;
      expected.busyNs += std::min(b, events.endNs[i]) - std::max(a, events.startNs[i]);
    }
    const RangeSum sum = row.sum({a, b});
    ASSERT_EQ(sum.count, expected.count) << a << " to " << b;
    ASSERT_EQ(sum.busyNs, expected.busyNs) << a << " to " << b;
  }
}

TEST(EventRow, IsEmptyWithoutEvents) {
  const EventRow row(RowKind::kOperator, {});
  RowPicture picture;
  row.draw(TimeAxis({0, 1'000}, 10), picture);
  EXPECT_EQ(total(picture), 0);
  EXPECT_FALSE(row.eventAt(5, 1'000).has_value());
  EXPECT_EQ(row.sum({0, 100}).count, 0);
}

}  // namespace
}  // namespace jitscope::gui
