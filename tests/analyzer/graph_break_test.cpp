#include "analyzer/diagnoses/graph_break.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<Finding> breaksOf(const std::vector<std::string_view>& processes) {
  return findingsOf(processes, FindingKind::kGraphBreak);
}

constexpr std::string_view kItemBreak = R"rows(
frame frame=0 name="step" file="step.cpp" line=5
graph_break frame=0 attempt=0 after=0 at=10us..90us thread=1 is_first=1 reason="Unsupported Tensor.item() call with capture_scalar_outputs=False" op="aten::_local_scalar_dense" stack="step.cpp:9 step(at::Tensor)"
graph_break frame=0 attempt=0 after=0 at=200us..207us thread=1
graph_break frame=0 attempt=0 after=0 at=300us..303us thread=1
)rows";

TEST(GraphBreak, CostsTheTimeBetweenSegmentsOfLaterPasses) {
  const std::vector<Finding> findings = breaksOf({kItemBreak});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 10'000);
  EXPECT_EQ(findings[0].count(), 3);
  EXPECT_EQ(evidence(findings[0], "captures"), 1);
  EXPECT_EQ(evidence(findings[0], "later passes"), 2);
}

TEST(GraphBreak, NamesPlaceClassAndFix) {
  const std::vector<Finding> findings = breaksOf({kItemBreak});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "graph_break/scalar_read/step.cpp:9");
  EXPECT_EQ(findings[0].place, (Place{"step.cpp", 9, "step(at::Tensor)"}));
  EXPECT_EQ(findings[0].causeClass, "scalar_read");
  EXPECT_NE(findings[0].advice.fix.find("torch::where"), std::string::npos);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kCertain);
}

TEST(GraphBreak, OfSeveralProcessesIsOneFinding) {
  const std::vector<Finding> findings = breaksOf({kItemBreak, kItemBreak});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 20'000);
  EXPECT_EQ(evidence(findings[0], "processes"), 2);
}

TEST(GraphBreak, OfTwoPlacesAreTwoFindingsWorstFirst) {
  const std::vector<Finding> findings = breaksOf({R"rows(
graph_break frame=0 at=10us..20us thread=1 reason="Call to jitscope::print" stack="a.cpp:1 f()"
graph_break frame=0 at=30us..70us thread=1 reason="Call to jitscope::print" stack="a.cpp:2 f()"
)rows"});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].place.line, 2);
  EXPECT_EQ(findings[1].place.line, 1);
}

TEST(GraphBreak, WithoutAClassGivesTheCompilersHint) {
  const std::vector<Finding> findings = breaksOf(
      {R"(graph_break frame=0 at=1us..2us is_first=1 reason="strange" hint="ask the author")"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kUnknown);
  EXPECT_EQ(findings[0].advice.fix, "ask the author");
}

TEST(GraphBreak, WithoutAStackKeepsFramesApart) {
  const std::vector<Finding> findings = breaksOf({R"(
frame frame=0 name="f"
frame frame=1 name="g"
graph_break frame=0 at=1us..2us is_first=1 reason="Call to jitscope::print"
graph_break frame=1 at=3us..4us is_first=1 reason="Call to jitscope::print"
)"});
  EXPECT_EQ(findings.size(), 2U);
}

}  // namespace
}  // namespace jitscope::analyzer
