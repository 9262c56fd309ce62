#include "compiler/frames/size_history.h"

#include <gtest/gtest.h>

namespace jitscope::compiler {
namespace {

using Flags = std::vector<bool>;

TEST(SizeHistory, IsStaticAtFirstSight) {
  SizeHistory history;
  EXPECT_EQ(history.observe("x", {4, 16}), (Flags{false, false}));
  EXPECT_EQ(history.observe("x", {4, 16}), (Flags{false, false}));
}

TEST(SizeHistory, MakesADimensionDynamicThatHasChangedAndKeepsIt) {
  SizeHistory history;
  (void)history.observe("x", {4, 16});
  EXPECT_EQ(history.observe("x", {8, 16}), (Flags{true, false}));
  EXPECT_EQ(history.observe("x", {8, 16}), (Flags{true, false}));
  EXPECT_EQ(history.observe("x", {8, 17}), (Flags{true, true}));
}

TEST(SizeHistory, ForgetsATensorOfAnotherRank) {
  SizeHistory history;
  (void)history.observe("x", {4, 16});
  (void)history.observe("x", {8, 16});
  EXPECT_EQ(history.observe("x", {8}), (Flags{false}));
}

TEST(SizeHistory, KnowsEachSourceForItself) {
  SizeHistory history;
  (void)history.observe("x", {4});
  EXPECT_EQ(history.observe("y", {8}), (Flags{false}));
}

TEST(SizeHistory, TreatsIntegersLikeSizes) {
  SizeHistory history;
  EXPECT_FALSE(history.observeInteger("n", 3));
  EXPECT_TRUE(history.observeInteger("n", 4));
}

TEST(SizeHistory, KeepsAPinnedDimensionStatic) {
  SizeHistory history;
  (void)history.observe("x", {4, 16});
  (void)history.observe("x", {8, 16});
  history.pin("x", 0);
  EXPECT_EQ(history.observe("x", {16, 16}), (Flags{false, false}));
  EXPECT_EQ(history.observe("x", {16, 32}), (Flags{false, true}));
}

}  // namespace
}  // namespace jitscope::compiler
