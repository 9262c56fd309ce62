#include "gui/models/number_text.h"

#include <gtest/gtest.h>

namespace jitscope::gui {
namespace {

struct Row {
  int64_t value;
  const char* text;
};

TEST(DurationText, KeepsThreeDigitsInTheLargestUnit) {
  for (const Row& row :
       {Row{0, "0 ns"}, Row{840, "840 ns"}, Row{-12, "-12 ns"}, Row{1'000, "1.00 µs"},
        Row{38'240, "38.2 µs"}, Row{412'000, "412 µs"}, Row{1'292'400, "1.29 ms"},
        Row{9'999'000, "10.0 ms"}, Row{999'499, "999 µs"}, Row{999'500, "1.00 ms"},
        Row{10'000'000, "10.0 ms"}, Row{14'230'000, "14.2 ms"}, Row{3'036'000'000, "3.04 s"},
        Row{999'500'000, "1.00 s"}, Row{61'000'000'000, "61.0 s"}, Row{-1'500, "-1.50 µs"},
        Row{3'600'000'000'000, "3,600 s"}, Row{-5'368'000'000, "-5.37 s"}}) {
    EXPECT_EQ(durationText(row.value).toStdString(), row.text);
  }
}

TEST(CountText, SeparatesThousands) {
  for (const Row& row :
       {Row{0, "0"}, Row{999, "999"}, Row{1'000, "1,000"}, Row{-1'234'567, "-1,234,567"},
        Row{-2'000, "-2,000"}, Row{9'007'199'254'740'993, "9,007,199,254,740,993"}}) {
    EXPECT_EQ(countText(row.value).toStdString(), row.text);
  }
}

TEST(CountedText, UsesTheRightNumber) {
  EXPECT_EQ(countedText(1, "break"), "1 break");
  EXPECT_EQ(countedText(0, "break"), "0 breaks");
  EXPECT_EQ(countedText(2'000, "kernel"), "2,000 kernels");
}

TEST(BytesText, CountsInPowersOfTen) {
  for (const Row& row :
       {Row{512, "512 B"}, Row{134'200'000, "134 MB"}, Row{2'310'000'000, "2.31 GB"},
        Row{4'800'000'000'000, "4.80 TB"}, Row{1'500, "1.50 kB"}, Row{999'999, "1.00 MB"}}) {
    EXPECT_EQ(bytesText(row.value).toStdString(), row.text);
  }
}

TEST(PercentText, KeepsOneDecimal) {
  EXPECT_EQ(percentText(0.4214), "42.1 %");
  EXPECT_EQ(percentText(0), "0.0 %");
}

TEST(FactorText, KeepsThreeDigits) {
  EXPECT_EQ(factorText(2.3149), "2.31x");
  EXPECT_EQ(factorText(12.345), "12.3x");
}

TEST(RatioText, NamesWhatTakesLonger) {
  EXPECT_EQ(ratioText("eager", 2'310, "compiled", 1'000), "eager takes 2.31x the time");
  EXPECT_EQ(ratioText("eager", 10, "compiled", 1'000), "compiled takes 100x the time");
  EXPECT_EQ(ratioText("eager", 0, "compiled", 1'000), "");
}

TEST(TickText, UsesTheUnitOfTheStep) {
  EXPECT_EQ(tickText(250'000, 125'000), "250 µs");
  EXPECT_EQ(tickText(1'500'000, 500'000), "1.5 ms");
  EXPECT_EQ(tickText(-2'000'000'000, 1'000'000'000), "-2 s");
  EXPECT_EQ(tickText(40, 20), "40 ns");
}

}  // namespace
}  // namespace jitscope::gui
