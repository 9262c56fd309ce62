#include "analyzer/diagnoses/recompile_limit.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<Finding> limitsOf(std::string_view rows) {
  return findingsOf(rows, FindingKind::kRecompileLimit);
}

constexpr std::string_view kLimit = R"(
frame frame=0 name="step" file="step.cpp" line=5
call frame=0 attempt=0 at=100us..110us thread=1 outcome=hit
call frame=0 attempt=0 at=200us..210us thread=1 outcome=hit
call frame=0 at=300us..335us thread=1 outcome=limit
call frame=0 at=400us..425us thread=1 outcome=limit
guard_failure frame=0 attempt=7 time_ns=300us thread=1 source="L['n']" expected="8" actual="9" text="L['n'] == 8" cause="scalar" stack="main.cpp:40 main"
guard_failure frame=0 attempt=7 time_ns=400us thread=1 source="L['n']" expected="8" actual="10" text="L['n'] == 8" cause="scalar" stack="main.cpp:40 main"
)";

TEST(RecompileLimit, CostsWhatEagerCallsTakeLongerThanHits) {
  const std::vector<Finding> findings = limitsOf(kLimit);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 25'000 + 15'000);
  EXPECT_EQ(findings[0].count(), 2);
}

TEST(RecompileLimit, GivesTheFixOfTheGuardThatFailsMost) {
  const std::vector<Finding> findings = limitsOf(kLimit);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].advice.fix.find("pass n as a tensor"), std::string::npos);
  EXPECT_NE(findings[0].advice.fix.find("recompileLimit"), std::string::npos);
  EXPECT_EQ(findings[0].place, (Place{"main.cpp", 40, "main"}));
  ASSERT_EQ(findings[0].guards.size(), 1U);
  EXPECT_EQ(findings[0].guards[0].count, 2);
}

TEST(RecompileLimit, WithoutGuardsSaysThatItDoesNotKnow) {
  const std::vector<Finding> findings =
      limitsOf("call frame=0 at=300us..335us thread=1 outcome=limit");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kUnknown);
  EXPECT_EQ(findings[0].cost.timeNs, 0) << "nothing to compare with";
}

TEST(RecompileLimit, CallsWhoseEndWasNotSeenCountAndSayNothingOfSpeed) {
  constexpr std::string_view kRows = R"(
call frame=0 attempt=0 at=100us..110us thread=1 outcome=hit
call frame=0 at=300us..300us thread=1 outcome=limit
)";
  const std::vector<Finding> findings = limitsOf(kRows);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count(), 1);
  EXPECT_EQ(findings[0].cost.timeNs, 0);
  const std::vector<FrameSummary> frames = summarizeFrames(runOf(kRows));
  EXPECT_EQ(frames[0].limitCount, 1);
  EXPECT_EQ(frames[0].eager.count, 0);
}

TEST(RecompileLimit, FailuresThatCompileAreNoLimit) {
  EXPECT_TRUE(limitsOf(R"(
call frame=0 at=300us..335us thread=1 outcome=compiled
guard_failure frame=0 attempt=0 time_ns=300us caused=1 text="L['n'] == 8"
)")
                  .empty());
}

TEST(RecompileLimit, RemarksAreOfTheCallableThatTheyName) {
  constexpr std::string_view kRows = R"rows(
frame frame=0 name="attend" file="attend.py" line=5
frame frame=1 name="mix" file="mix.py" line=9
call frame=0 at=300us..335us thread=1 outcome=limit
call frame=1 at=400us..425us thread=1 outcome=limit
artifact frame=1 attempt=0 time_ns=400us kind="recompile_limit" name="recompile_limit (8)"
artifact time_ns=310us kind="eager_fallback" name="attend"
artifact time_ns=320us kind="eager_fallback" name="score"
)rows";
  const std::vector<Finding> limits = limitsOf(kRows);
  ASSERT_EQ(limits.size(), 2U);
  for (const Finding& finding : limits) {
    const bool isUnfused = finding.id.find("attend") != std::string::npos;
    EXPECT_EQ(finding.causeClass, isUnfused ? "unfused_fallback" : "limit") << finding.id;
    EXPECT_EQ(finding.advice.cause.find("by recompile_limit (8)") == std::string::npos, isUnfused)
        << finding.advice.cause;
  }
  const std::vector<Finding> fallbacks = findingsOf(kRows, FindingKind::kEagerFallback);
  ASSERT_EQ(fallbacks.size(), 1U) << "a limit explains the other";
  EXPECT_EQ(fallbacks[0].id, "eager_fallback/score");
}

TEST(RecompileLimit, AnErrorAtTheLimitIsOfEveryCallable) {
  const std::vector<Finding> limits = limitsOf(R"(
call frame=0 at=300us..335us thread=1 outcome=limit
call frame=1 at=400us..425us thread=1 outcome=limit
artifact time_ns=400us kind="exception" name="FailOnRecompileLimitHit"
)");
  ASSERT_EQ(limits.size(), 2U);
  for (const Finding& finding : limits) {
    EXPECT_EQ(finding.causeClass, "fatal");
    EXPECT_EQ(finding.evidence[0].what, "refused calls");
  }
}

}  // namespace
}  // namespace jitscope::analyzer
