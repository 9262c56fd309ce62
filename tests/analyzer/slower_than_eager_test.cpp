#include "analyzer/diagnoses/slower_than_eager.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr const char* kStepFrame = "frame frame=0 name=\"step\" file=\"step.cpp\" line=5\n";

/// Calls one after the other, each of so many microseconds.
class CallRows {
 public:
  CallRows& calls(const char* outcome, const std::vector<int>& durationsUs, const char* more = "") {
    for (const int duration : durationsUs) {
      const int start = nextUs_;
      nextUs_ += duration + 10;
      text_ += fmt::format("call frame=0 attempt=0 at={}us..{}us thread=1 outcome={} {}\n", start,
                           start + duration, outcome, more);
    }
    return *this;
  }
  CallRows& add(const char* line) {
    text_ += line;
    return *this;
  }
  std::vector<Finding> findings() const { return findingsOf(text_, FindingKind::kSlowerThanEager); }

 private:
  std::string text_ = kStepFrame;
  int nextUs_ = 1000;
};

const std::vector<int> kFast = {50, 48, 51, 52, 49, 50, 47, 50, 53, 50};
const std::vector<int> kSlow = {80, 78, 81, 82, 79, 80, 77, 80, 83, 80};

TEST(SlowerThanEager, CostsTheDifferenceOfTheMediansForEachHit) {
  const std::vector<Finding> findings =
      CallRows().calls("eager", kFast).calls("hit", kSlow).findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 10 * 30'000);
  EXPECT_EQ(findings[0].count(), 10);
  EXPECT_EQ(evidence(findings[0], "eager calls"), 10);
  EXPECT_EQ(findings[0].place, (Place{"step.cpp", 5, "step"}));
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kLikely);
  EXPECT_EQ(findings[0].advice.title,
            "slower than eager: a compiled call of step takes 80.0 µs, an eager one 50.0 µs");
  ASSERT_EQ(findings[0].occurrences.size(), 1U);
  EXPECT_EQ(findings[0].occurrences[0].endNs - findings[0].occurrences[0].startNs, 80'000);
}

TEST(SlowerThanEager, BlamesGuardsWhenTheyTakeMostOfIt) {
  const std::vector<Finding> findings =
      CallRows().calls("eager", kFast).calls("hit", kSlow, "guard_ns=20us").findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].advice.fix.find("fewer arguments to guard"), std::string::npos);
  EXPECT_NE(findings[0].advice.cause.find("20.0 µs of that go into guards"), std::string::npos);
}

struct NoEvidence {
  const char* name;
  CallRows rows;
};

class WithoutEvidence : public testing::TestWithParam<NoEvidence> {};

TEST_P(WithoutEvidence, NothingIsFound) { EXPECT_TRUE(GetParam().rows.findings().empty()); }

INSTANTIATE_TEST_SUITE_P(
    SlowerThanEager, WithoutEvidence,
    testing::Values(
        NoEvidence{"NoEagerCalls", CallRows().calls("hit", kSlow)},
        NoEvidence{"NoHits", CallRows().calls("eager", kFast)},
        NoEvidence{"Faster", CallRows().calls("eager", kSlow).calls("hit", kFast)},
        NoEvidence{"AsFast", CallRows().calls("eager", kFast).calls("hit", kFast)},
        NoEvidence{"TooFewCalls",
                   CallRows().calls("eager", {50, 51, 52}).calls("hit", {80, 81, 82})},
        NoEvidence{
            "OneSlowHit",
            CallRows().calls("eager", kFast).calls("hit", {50, 49, 51, 9000, 50, 48, 51, 50})},
        NoEvidence{"TooSmallADifference",
                   CallRows()
                       .calls("eager", {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007})
                       .calls("hit", {1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017})},
        NoEvidence{"OnlyCallsBeyondTheLimitWereEager",
                   CallRows().calls("limit", kFast).calls("hit", kSlow)},
        NoEvidence{"OnlyDivergedHits",
                   CallRows().calls("eager", kFast).calls("hit", kSlow, "divergences=1")},
        NoEvidence{"AllOfItPassesInGraphBreaks",
                   CallRows()
                       .calls("eager", kFast)
                       .calls("hit", kSlow)
                       .add("graph_break frame=0 attempt=0 at=2000us..2300us thread=1\n")}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace jitscope::analyzer
