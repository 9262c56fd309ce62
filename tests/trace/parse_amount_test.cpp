#include "trace/parse_amount.h"

#include <gtest/gtest.h>

namespace jitscope::trace {
namespace {

TEST(ParseDuration, TakesUnitsAndSecondsWithoutOne) {
  EXPECT_EQ(parseDuration("5"), 5'000'000'000);
  EXPECT_EQ(parseDuration("0"), 0);
  EXPECT_EQ(parseDuration("2.5s"), 2'500'000'000);
  EXPECT_EQ(parseDuration("1.5 s"), 1'500'000'000);
  EXPECT_EQ(parseDuration("300ms"), 300'000'000);
  EXPECT_EQ(parseDuration("20us"), 20'000);
  EXPECT_EQ(parseDuration("20µs"), 20'000);
  EXPECT_EQ(parseDuration("7ns"), 7);
  EXPECT_EQ(parseDuration("2m"), 120'000'000'000);
  EXPECT_EQ(parseDuration("2min"), 120'000'000'000);
  EXPECT_EQ(parseDuration("1h"), 3'600'000'000'000);
}

TEST(ParseDuration, RefusesTheRest) {
  for (const char* wrong : {"", " ", "s", ".", "-1", "+1", "1e9", "nan", "inf", "5d", "1.2.3s",
                            "1,5s", "5s ", " 5s", "9999999999h"}) {
    EXPECT_EQ(parseDuration(wrong), std::nullopt) << wrong;
  }
}

TEST(ParseSize, TakesPowersOfTwoAndOfTen) {
  EXPECT_EQ(parseSize("4096"), 4096U);
  EXPECT_EQ(parseSize("4096B"), 4096U);
  EXPECT_EQ(parseSize("1K"), 1024U);
  EXPECT_EQ(parseSize("1KB"), 1000U);
  EXPECT_EQ(parseSize("1kB"), 1000U);
  EXPECT_EQ(parseSize("128M"), 128U << 20);
  EXPECT_EQ(parseSize("500MB"), 500'000'000U);
  EXPECT_EQ(parseSize("1.5 GiB"), 3U << 29);
  EXPECT_EQ(parseSize("2G"), uint64_t{2} << 30);
}

TEST(ParseSize, RefusesTheRest) {
  for (const char* wrong : {"", "M", "-1", "1e9", "1T", "1 M B", "99999999999G"})
    EXPECT_EQ(parseSize(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace jitscope::trace
