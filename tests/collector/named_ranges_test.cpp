// When ranges of one name are open.
#include "collector/windows/named_ranges.h"

#include <gtest/gtest.h>

#include <vector>

namespace jitscope::collector {
namespace {

TEST(NamedRanges, AreFoundByTextsOfBothWidths) {
  EXPECT_TRUE(isNamed("step", "step"));
  EXPECT_FALSE(isNamed("step", "step 2"));
  EXPECT_FALSE(isNamed("step", static_cast<const char*>(nullptr)));
  EXPECT_TRUE(isNamed("step", L"step"));
  EXPECT_FALSE(isNamed("step", L"ste"));
  EXPECT_FALSE(isNamed("step", L"steps"));
  EXPECT_FALSE(isNamed("step", static_cast<const wchar_t*>(nullptr)));
  EXPECT_TRUE(
      isNamed("gr\xC3\xB6\xC3\x9F"
              "e \xE2\x88\x91 \xF0\x9F\x94\xA5",
              L"gr\u00F6\u00DFe \u2211 \U0001F525"));
}

TEST(PushedRanges, TellTheOutermostWantedOne) {
  PushedRanges ranges;
  EXPECT_FALSE(ranges.push(0, false));
  EXPECT_TRUE(ranges.push(0, true));
  EXPECT_FALSE(ranges.push(0, true));
  EXPECT_FALSE(ranges.pop(0));
  EXPECT_TRUE(ranges.pop(0));
  EXPECT_FALSE(ranges.pop(0));
  EXPECT_FALSE(ranges.pop(0));  // one too many
  EXPECT_TRUE(ranges.push(0, true));
}

TEST(PushedRanges, KnowAFewDomainsAtATime) {
  PushedRanges ranges;
  for (uint64_t domain = 1; domain <= 8; ++domain) EXPECT_TRUE(ranges.push(domain, true));
  EXPECT_FALSE(ranges.push(9, true));
  EXPECT_FALSE(ranges.pop(9));
  EXPECT_TRUE(ranges.pop(3));
  EXPECT_TRUE(ranges.push(9, true));
  EXPECT_TRUE(ranges.pop(9));
  EXPECT_TRUE(ranges.pop(8));
}

std::vector<bool> turns;

TEST(OpenRanges, TellTheFirstAndTheLast) {
  turns.clear();
  const auto note = [](bool isOpen) { turns.push_back(isOpen); };
  OpenRanges ranges;
  ranges.close(note);  // of none
  ranges.open(note);
  ranges.open(note);
  ranges.close(note);
  EXPECT_EQ(turns, std::vector<bool>{true});
  ranges.close(note);
  EXPECT_EQ(turns, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace jitscope::collector
