#include "analyzer/duration_spread.h"

#include <gtest/gtest.h>

#include <numeric>

namespace jitscope::analyzer {
namespace {

int64_t countIn(const DurationSpread& spread) {
  int64_t count = 0;
  for (const DurationBin& bin : spread.bins) count += bin.count;
  return count;
}

TEST(DurationSpread, HasNoBinsForNothing) {
  EXPECT_EQ(spreadOf({}, 10).count, 0);
  EXPECT_TRUE(spreadOf({}, 10).bins.empty());
}

TEST(DurationSpread, PutsEqualDurationsIntoOneBin) {
  const DurationSpread spread = spreadOf({700, 700, 700}, 10);
  ASSERT_EQ(spread.bins.size(), 1U);
  EXPECT_EQ(spread.bins[0].count, 3);
  EXPECT_EQ(spread.bins[0].fromNs, 700);
  EXPECT_EQ(spread.medianNs, 700);
}

TEST(DurationSpread, CountsEachDurationOnceInBinsThatTouch) {
  std::vector<int64_t> durationsNs(1'000);
  std::iota(durationsNs.begin(), durationsNs.end(), int64_t{0});
  durationsNs.push_back(2'000'000);
  const DurationSpread spread = spreadOf(durationsNs, 24);
  EXPECT_EQ(countIn(spread), 1'001);
  EXPECT_LE(spread.bins.size(), 24U);
  for (size_t i = 1; i < spread.bins.size(); ++i)
    EXPECT_EQ(spread.bins[i].fromNs, spread.bins[i - 1].toNs);
  EXPECT_EQ(spread.bins.back().count, 1);
  EXPECT_EQ(spread.minNs, 0);
  EXPECT_EQ(spread.maxNs, 2'000'000);
  EXPECT_EQ(spread.medianNs, 500);
  EXPECT_EQ(spread.p95Ns, 950);
}

TEST(DurationSpread, BearsDurationsThatNobodyBelieves) {
  const DurationSpread spread = spreadOf({-5, INT64_MAX, 3}, 8);
  EXPECT_EQ(countIn(spread), 3);
  EXPECT_EQ(spread.minNs, 0);
}

}  // namespace
}  // namespace jitscope::analyzer
