#include "analyzer/load/narrow.h"

#include <gtest/gtest.h>

#include "analyzer/run.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

class Filter : public testing::Test {
 protected:
  void SetUp() override {
    tests::writeTrace(folder_ / "rank0.jitscope", R"(
process pid=10 rank=0
frame frame=0 name="step" file="step.py" line=3
frame frame=1 name="loss" file="step.py" line=9
call frame=0 attempt=0 at=1000us..1100us thread=1 outcome=hit
call frame=1 attempt=0 at=2000us..2100us thread=1 outcome=hit
call frame=0 attempt=0 at=3000us..3100us thread=1 outcome=hit
op at=3010us..3020us thread=1 name="aten::mm"
kernel at=3030us..3040us name="gemm"
)");
    tests::writeTrace(folder_ / "rank1.jitscope", R"(
process pid=11 rank=1
frame frame=0 name="step" file="step.py" line=3
call frame=0 attempt=0 at=1500us..1600us thread=1 outcome=hit
)");
  }

  trace::Result<analyzer::Run> load(const RunFilter& filter) const {
    LoadOptions options;
    options.filter = filter;
    return loadRun(folder_.path(), options);
  }

  tests::TemporaryFolder folder_;
};

TEST_F(Filter, OfARankKeepsItsProcess) {
  const trace::Result<analyzer::Run> run = load({.rank = 1});
  ASSERT_TRUE(run) << run.error().text;
  ASSERT_EQ(run->processes.size(), 1U);
  EXPECT_EQ(run->processes[ProcessIndex{0}].row.pid, 11);
  EXPECT_EQ(run->calls.size(), 1U);
}

TEST_F(Filter, OfAnUnknownRankNamesTheKnownOnes) {
  const trace::Result<analyzer::Run> run = load({.rank = 7});
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().text.find("no process of rank 7; there are 0, 1"), std::string::npos)
      << run.error().text;
}

TEST_F(Filter, OfAFrameKeepsItsRowsByNameAndByNumber) {
  for (const char* frame : {"loss", "1"}) {
    const trace::Result<analyzer::Run> run = load({.frame = frame});
    ASSERT_TRUE(run) << run.error().text;
    EXPECT_EQ(run->frames.size(), 1U);
    EXPECT_EQ(run->calls.size(), 1U);
    EXPECT_EQ(run->kernelCount(), 0U);
    EXPECT_EQ(run->opCount(), 1U);
  }
}

TEST_F(Filter, OfAnUnknownFrameLeavesNone) {
  tests::writeTrace(folder_ / "rank1.jitscope", R"(
process pid=11 rank=1
frame frame=-1 name="nameless" file="step.py" line=3
call frame=-1 attempt=0 at=1500us..1600us thread=1 outcome=hit
)");
  for (const char* frame : {"lost", "-1", "1x", "99999999999999999999"}) {
    const trace::Result<analyzer::Run> run = load({.frame = frame});
    ASSERT_TRUE(run) << run.error().text;
    EXPECT_EQ(run->frames.size(), 0U) << frame;
    EXPECT_EQ(run->calls.size(), 0U) << frame;
  }
}

TEST_F(Filter, OfATimePastTheEndSaysSo) {
  const trace::Result<analyzer::Run> run = load({.sinceNs = 5'000'000'000});
  ASSERT_FALSE(run);
  EXPECT_NE(
      run.error().text.find(
          "nothing starts 5.00 s after the first event or later; the last does after 2.03 ms"),
      std::string::npos)
      << run.error().text;
}

TEST_F(Filter, OfATimeKeepsWhatStartsLater) {
  const trace::Result<analyzer::Run> run = load({.sinceNs = 1'000'000});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(run->calls.size(), 2U);
  EXPECT_EQ(run->frames.size(), 2U);
  EXPECT_EQ(run->kernelCount(), 1U);
  EXPECT_EQ(run->text(run->processes[ProcessIndex{0}].ops.get<&trace::OpRow::name>(0)), "aten::mm");
}

}  // namespace
}  // namespace jitscope::analyzer
