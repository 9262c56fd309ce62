#include "trace/closest_word.h"

#include <gtest/gtest.h>

#include <array>

namespace jitscope::trace {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"record", "report", "doctor", "--output"};

TEST(ClosestWord, FindsWhatOneSlipMadeOf) {
  EXPECT_EQ(closestWord("recrod", kWords), "record");
  EXPECT_EQ(closestWord("reprt", kWords), "report");
  EXPECT_EQ(closestWord("doctors", kWords), "doctor");
  EXPECT_EQ(closestWord("--outptu", kWords), "--output");
}

TEST(ClosestWord, IsEmptyWhenNothingIsClose) {
  EXPECT_EQ(closestWord("launch", kWords), "");
  EXPECT_EQ(closestWord("", kWords), "");
  EXPECT_EQ(closestWord("record", {}), "");
}

TEST(ClosestWord, TakesTheFirstOfTwoThatAreEquallyNear) {
  EXPECT_EQ(closestWord("repord", kWords), "record");
}

}  // namespace
}  // namespace jitscope::trace
