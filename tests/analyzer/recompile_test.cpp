#include "analyzer/diagnoses/recompile.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<Finding> recompilesOf(const std::vector<std::string_view>& processes) {
  return findingsOf(processes, FindingKind::kRecompile);
}

constexpr std::string_view kNewSize = R"(
frame frame=0 name="mlp" file="mlp.cpp" line=5
compile frame=0 attempt=0 at=0us..50us thread=1 trigger="first call"
guard_failure frame=0 attempt=0 time_ns=100us thread=1 caused=1 source="L['x']" expected="4" actual="8" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 8" cause="size" stack="main.cpp:30 main"
compile frame=0 attempt=1 at=100us..180us thread=1 capture_ns=10us guards_ns=5us backend_ns=15us is_dynamic=1
)";

TEST(Recompile, OfASizeThatBecomesDynamicIsAvoidableByAMark) {
  const std::vector<Finding> findings = recompilesOf({kNewSize});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "size");
  EXPECT_TRUE(findings[0].advice.isAvoidable);
  EXPECT_NE(findings[0].advice.fix.find("jitscope::markDynamic(x, 0)"), std::string::npos);
  EXPECT_EQ(findings[0].place, (Place{"main.cpp", 30, "main"}));
}

TEST(Recompile, CostsItsPhasesNotTheUsersCode) {
  const std::vector<Finding> findings = recompilesOf({kNewSize});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 30'000);
}

TEST(Recompile, CostsItsDurationWhenNoPhaseIsTold) {
  const std::vector<Finding> findings =
      recompilesOf({R"(compile frame=0 attempt=1 at=100us..180us trigger="L['n'] == 3")"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 80'000);
  EXPECT_EQ(findings[0].causeClass, "scalar") << "read from the trigger";
}

TEST(Recompile, ListsTheGuardWithExpectedAndActual) {
  const std::vector<Finding> findings = recompilesOf({kNewSize, kNewSize});
  ASSERT_EQ(findings.size(), 1U);
  ASSERT_EQ(findings[0].guards.size(), 1U);
  const GuardMismatch& guard = findings[0].guards[0];
  EXPECT_EQ(guard.entry, "0/0");
  EXPECT_EQ(guard.expected, "4");
  EXPECT_EQ(guard.actual, "8");
  EXPECT_EQ(guard.count, 2) << "one in each process";
  EXPECT_EQ(evidence(findings[0], "processes"), 2);
}

TEST(Recompile, TheNewestEntryTellsTheCause) {
  const std::vector<Finding> findings = recompilesOf({R"(
compile frame=0 attempt=2 at=100us..180us
guard_failure frame=0 attempt=0 time_ns=100us caused=2 text="tensor 'x' size mismatch at index 0. expected 4, actual 16"
guard_failure frame=0 attempt=1 time_ns=100us caused=2 text="tensor 'x' dtype mismatch. expected Float, actual Half"
)"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "dtype");
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kLikely) << "the entries disagree";
}

TEST(Recompile, OfTheSameNumberMergesOverItsValues) {
  const std::vector<Finding> findings = recompilesOf({R"(
compile frame=0 attempt=1 at=100us..110us
compile frame=0 attempt=2 at=200us..210us
guard_failure frame=0 attempt=0 time_ns=100us caused=1 source="L['n']" expected="1" actual="2" text="L['n'] == 1" cause="scalar"
guard_failure frame=0 attempt=1 time_ns=200us caused=2 source="L['n']" expected="2" actual="3" text="L['n'] == 2" cause="scalar"
)"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count(), 2);
  EXPECT_EQ(findings[0].guards.size(), 2U);
  EXPECT_NE(findings[0].advice.fix.find("as a tensor"), std::string::npos);
}

TEST(Recompile, OfSizeOneHasToBePaidOnce) {
  const std::vector<Finding> findings = recompilesOf({R"(
compile frame=0 attempt=1 at=100us..110us
guard_failure frame=0 attempt=0 time_ns=100us caused=1 source="L['x'].size()[0]" actual="1" text="2 <= L['x'].size()[0]" cause="zero_one"
)"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].advice.isAvoidable);
}

TEST(Recompile, WithoutAnyGuardSaysThatItDoesNotKnow) {
  const std::vector<Finding> findings = recompilesOf({"compile frame=0 attempt=1 at=100us..110us"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kUnknown);
  EXPECT_EQ(findings[0].causeClass, "unknown");
}

TEST(Recompile, TheFirstCompilationIsNone) {
  EXPECT_TRUE(recompilesOf({"compile frame=0 attempt=0 at=0us..50us"}).empty());
}

TEST(Recompile, FailuresOfAnotherProcessAreNotTaken) {
  const std::vector<Finding> findings = recompilesOf({
      "compile frame=0 attempt=1 at=100us..110us",
      R"(guard_failure frame=0 attempt=0 time_ns=1us caused=1 text="L['n'] == 1")",
  });
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "unknown");
}

}  // namespace
}  // namespace jitscope::analyzer
