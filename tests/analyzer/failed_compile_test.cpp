#include "analyzer/diagnoses/failed_compile.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<Finding> failuresOf(std::string_view rows) {
  return findingsOf(rows, FindingKind::kFailedCompile);
}

TEST(FailedCompile, UnderFullgraphIsAtTheBreak) {
  const std::vector<Finding> findings = failuresOf(R"(
frame frame=0 name="step" file="step.cpp" line=5 fullgraph=1
compile frame=0 attempt=0 at=100us..400us thread=1 failure="Unsupported Tensor.item() call\n  a tensor's value is read\n  use torch::where\n  at model.cpp:12" stack="main.cpp:40 main"
call frame=0 at=100us..410us thread=1 outcome=failed
)");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "fullgraph");
  EXPECT_EQ(findings[0].place, (Place{"model.cpp", 12, ""}));
  EXPECT_EQ(findings[0].cost.timeNs, 300'000);
  EXPECT_EQ(findings[0].advice.title, "failed compilation: step: Unsupported Tensor.item() call");
  EXPECT_NE(findings[0].advice.fix.find("CompileOptions::fullgraph"), std::string::npos);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kCertain);
}

TEST(FailedCompile, OfAConstraintNamesTheMarks) {
  const std::vector<Finding> findings = failuresOf(R"(
frame frame=0 name="step" file="step.cpp" line=5
compile frame=0 attempt=1 at=100us..400us failure="Constraints violated (L['x'].size()[0])! Not all\n  - inferred" stack="main.cpp:40 main"
)");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "constraint");
  EXPECT_EQ(findings[0].place, (Place{"main.cpp", 40, "main"}));
  EXPECT_NE(findings[0].advice.fix.find("maybeMarkDynamic"), std::string::npos);
}

TEST(FailedCompile, MergesWhatDiffersInNumbersAlone) {
  const std::vector<Finding> findings = failuresOf(R"(
frame frame=0 name="step" file="step.cpp" line=5
compile frame=0 attempt=0 at=100us..200us failure="size 4 is too large"
compile frame=0 attempt=1 at=300us..500us failure="size 128 is too large"
compile frame=0 attempt=2 at=600us..700us failure="no such key"
)");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].count(), 2);
  EXPECT_EQ(findings[0].cost.timeNs, 300'000);
  EXPECT_EQ(findings[0].causeClass, "exception");
  EXPECT_EQ(findings[0].place, (Place{"step.cpp", 5, "step"}));
  EXPECT_EQ(findings[1].count(), 1);
}

constexpr std::string_view kFailedRecompile = R"(
frame frame=0 name="step" file="step.cpp" line=5
compile frame=0 attempt=0 at=100us..200us trigger="first call"
guard_failure frame=0 attempt=0 time_ns=300us caused=1 source="L['n']" text="L['n'] == 8" cause="scalar"
compile frame=0 attempt=1 at=300us..500us trigger="L['n'] == 8" failure="no kernel"
)";

TEST(FailedCompile, CountsTheCostOfARecompileOnce) {
  const Analysis analysis = analyze(runOf(kFailedRecompile));
  int64_t totalNs = 0;
  for (const Finding& finding : analysis.findings) totalNs += finding.cost.timeNs;
  EXPECT_EQ(totalNs, 200'000);
  EXPECT_NE(analysis.verdict.find("1 failed compilation"), std::string::npos) << analysis.verdict;
}

TEST(FailedCompile, IsNotFoundWhereCompilationsSucceededAndTheFunctionThrewLater) {
  EXPECT_TRUE(failuresOf(R"(
compile frame=0 attempt=0 at=100us..200us trigger="first call"
call frame=0 attempt=0 at=300us..400us thread=1 outcome=failed
)")
                  .empty());
}

}  // namespace
}  // namespace jitscope::analyzer
