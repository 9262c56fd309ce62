#include "analyzer/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace jitscope::analyzer {
namespace {

TEST(Units, CountsSeparateThousands) {
  EXPECT_EQ(countText(0), "0");
  EXPECT_EQ(countText(999), "999");
  EXPECT_EQ(countText(1000), "1,000");
  EXPECT_EQ(countText(-1234567), "-1,234,567");
  EXPECT_EQ(countText(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Units, DurationsKeepThreeDigits) {
  EXPECT_EQ(durationText(0), "0 ns");
  EXPECT_EQ(durationText(999), "999 ns");
  EXPECT_EQ(durationText(1234), "1.23 µs");
  EXPECT_EQ(durationText(12'345), "12.3 µs");
  EXPECT_EQ(durationText(123'456'789), "123 ms");
  EXPECT_EQ(durationText(-4'560'000), "-4.56 ms");
  EXPECT_EQ(durationText(1'234'567'890'123), "1,235 s");
}

TEST(Units, DurationsThatRoundUpTakeTheNextUnit) {
  EXPECT_EQ(durationText(999'499), "999 µs");
  EXPECT_EQ(durationText(999'500), "1.00 ms");
  EXPECT_EQ(durationText(9'996), "10.0 µs");
}

TEST(Units, DurationsReadAlikeThatDifferBehindThreeDigits) {
  EXPECT_TRUE(readAlike(12'345, 12'349));
  EXPECT_TRUE(readAlike(9'996, 10'000));
  EXPECT_FALSE(readAlike(12'345, 12'399));
  EXPECT_FALSE(readAlike(999, 999'000));
}

TEST(Units, SizesAreInPowersOfTen) {
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(1536), "1.54 kB");
  EXPECT_EQ(bytesText(999'499), "999 kB");
  EXPECT_EQ(bytesText(999'500), "1.00 MB");
  EXPECT_EQ(bytesText(-3'400'000'000), "-3.40 GB");
}

TEST(Units, DecimalsKeepTheirDigitsAndSeparateThousands) {
  EXPECT_EQ(decimalText(1234.56, 1), "1,234.6");
  EXPECT_EQ(decimalText(-1234567.0, 0), "-1,234,567");
  EXPECT_EQ(decimalText(-123.0, 2), "-123.00");
  EXPECT_EQ(decimalText(0.04, 1), "0.0");
  EXPECT_EQ(decimalText(-0.04, 1), "0.0") << "what rounds to zero has no sign";
  EXPECT_EQ(decimalText(std::numeric_limits<double>::max(), 2).size(), 309U + 102 + 3);
}

TEST(Units, RatiosAreFactors) {
  EXPECT_EQ(ratioText(2.3149), "2.31x");
  EXPECT_EQ(ratioText(0.5), "0.50x");
  EXPECT_EQ(ratioText(1234.5678), "1,235x");
}

}  // namespace
}  // namespace jitscope::analyzer
