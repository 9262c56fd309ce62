#include "analyzer/diagnoses/replay_divergence.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<Finding> divergencesOf(std::string_view rows) {
  return findingsOf(rows, FindingKind::kReplayDivergence);
}

TEST(ReplayDivergence, CostsWhatTheCallTookLongerThanHits) {
  const std::vector<Finding> findings = divergencesOf(R"rows(
frame frame=0 name="step" file="step.cpp" line=5
call frame=0 attempt=0 at=100us..110us thread=1 outcome=hit
call frame=0 attempt=0 at=200us..210us thread=1 outcome=hit
call frame=0 attempt=0 at=300us..340us thread=1 outcome=hit divergences=1
guard_failure frame=0 attempt=0 time_ns=310us thread=1 cause="divergence" text="operator stream diverged at #3: expected aten::relu, got aten::mul" stack="step.cpp:12 step()"
)rows");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 30'000);
  EXPECT_EQ(findings[0].count(), 1);
  EXPECT_EQ(findings[0].place, (Place{"step.cpp", 12, "step()"}));
  EXPECT_NE(findings[0].advice.cause.find("diverged at #3"), std::string::npos);
}

TEST(ReplayDivergence, IsFoundByTheFailureAlone) {
  const std::vector<Finding> findings = divergencesOf(
      R"(guard_failure frame=0 attempt=0 time_ns=310us text="operator stream diverged at #1: expected a, got b")");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count(), 1);
}

TEST(ReplayDivergence, IsFoundByTheCallAlone) {
  const std::vector<Finding> findings =
      divergencesOf("call frame=0 attempt=0 at=300us..340us outcome=hit divergences=2");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count(), 2);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kLikely);
}

}  // namespace
}  // namespace jitscope::analyzer
