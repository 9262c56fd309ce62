#include "gui/models/counter_row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace jitscope::gui {
namespace {

std::vector<CounterSample> randomSamples(size_t count) {
  std::mt19937 random(5);
  std::vector<CounterSample> samples;
  int64_t nowNs = 0;
  for (size_t i = 0; i < count; ++i) {
    nowNs += random() % 3 == 0 ? 500 : 0;
    samples.push_back({{nowNs, nowNs + 1'000}, static_cast<double>(random() % 1'000)});
    nowNs += 1'000;
  }
  return samples;
}

TEST(CounterRow, ShowsTheMeanOfEachPixelAndItsPeak) {
  const auto samples = randomSamples(5'000);
  const CounterRow row(samples);
  for (const int widthPx : {37, 400, 3'000}) {
    const TimeAxis axis({0, samples.back().time.endNs}, widthPx);
    const auto columns = row.columns(axis);
    double drawn = 0, wanted = 0;
    for (const CounterColumn& column : columns) drawn += column.mean;
    for (const CounterSample& sample : samples)
      wanted += sample.perSecond * 1'000 * axis.pixelsPerNs();
    EXPECT_NEAR(drawn, wanted, wanted * 0.001) << widthPx;
    const auto highest =
        std::max_element(columns.begin(), columns.end(),
                         [](const auto& a, const auto& b) { return a.peak < b.peak; });
    EXPECT_EQ(highest->peak, row.peak());
  }
}

TEST(CounterRow, ReadsGapsAsNothing) {
  const CounterRow row({{{0, 100}, 8}, {{300, 400}, 8}});
  const auto columns = row.columns(TimeAxis({0, 400}, 4));
  EXPECT_DOUBLE_EQ(columns[0].mean, 8);
  EXPECT_DOUBLE_EQ(columns[1].mean, 0);
  EXPECT_DOUBLE_EQ(columns[3].mean, 8);
  EXPECT_DOUBLE_EQ(row.mean({0, 400}), 4);
  EXPECT_DOUBLE_EQ(row.mean({50, 150}), 4);
}

TEST(CounterRow, IsFlatWithoutSamples) {
  const CounterRow row({});
  EXPECT_EQ(row.columns(TimeAxis({0, 400}, 4))[2].mean, 0);
  EXPECT_EQ(row.mean({0, 100}), 0);
}

}  // namespace
}  // namespace jitscope::gui
