#include "analyzer/import/log_clock.h"

#include <gtest/gtest.h>

#include "analyzer/import/log_prefix.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kHourNs = 3'600'000'000'000;

TEST(LogClock, FindsYearAndZoneByAnEventThatTellsBoth) {
  LogClock clock;
  const int64_t line = unixNs({0, 11, 29, 18 * kHourNs});
  const int64_t world = unixNs({2026, 11, 29, 10 * kHourNs});
  clock.anchor(line + 3'000'000, world);
  EXPECT_TRUE(clock.isAnchored());
  EXPECT_EQ(line + clock.offsetNs(line, 0), world);
  EXPECT_EQ(clock.toLog(world), line);
}

TEST(LogClock, TheFirstAnchorDecides) {
  LogClock clock;
  clock.anchor(kHourNs, 10 * kHourNs);
  clock.anchor(kHourNs, 90 * kHourNs);
  EXPECT_EQ(clock.offsetNs(kHourNs, 0), 9 * kHourNs);
}

TEST(LogClock, TakesTheYearOfTheFile) {
  const int64_t line = unixNs({0, 12, 31, 23 * kHourNs});
  EXPECT_EQ(line + LogClock().offsetNs(line, unixNs({2026, 1, 2, 0})),
            unixNs({2025, 12, 31, 23 * kHourNs}));
  // Its place can be ahead of the file's clock by hours.
  EXPECT_EQ(line + LogClock().offsetNs(line, unixNs({2025, 12, 31, 20 * kHourNs})),
            unixNs({2025, 12, 31, 23 * kHourNs}));
}

TEST(LogClock, IgnoresTimesThatCannotBe) {
  LogClock clock;
  clock.anchor(kHourNs, -5);
  clock.anchor(kHourNs, INT64_MAX);
  EXPECT_FALSE(clock.isAnchored());
  EXPECT_EQ(clock.offsetNs(kHourNs, 0), 0);
}

}  // namespace
}  // namespace jitscope::analyzer
