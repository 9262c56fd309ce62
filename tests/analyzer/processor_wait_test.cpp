#include "analyzer/processor_wait.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::string counter(std::string_view metric, std::string_view value, int device = -1) {
  return fmt::format("counter at=1ms..9ms device={} metric=\"processor_{}_ns\" value={}\n", device,
                     metric, value);
}

ProcessorWait waitOf(const std::string& rows) { return processorWait(runOf(rows)); }

/// Ten eager calls of 100 µs, then ten compiled ones.
std::string callRows(int compiledUs) {
  std::string rows = "frame frame=0 name=\"step\" file=\"step.cpp\" line=5\n";
  for (int call = 0; call < 20; ++call) {
    const bool isEager = call < 10;
    const int startUs = 1000 * call;
    rows +=
        fmt::format("call frame=0 attempt=0 at={}us..{}us thread=1 outcome={}\n", startUs,
                    startUs + (isEager ? 100 : compiledUs) + call % 3, isEager ? "eager" : "hit");
  }
  return rows;
}

const std::string kBusyRows = counter("running", "3e6") + counter("waiting", "7e6");
const std::string kQuietRows = counter("running", "9.9e6") + counter("waiting", "1e5");

TEST(ProcessorWait, IsNoneWhereNoRecorderSaid) {
  EXPECT_EQ(waitOf("").share(), 0);
  EXPECT_FALSE(waitOf("").isLong());
}

TEST(ProcessorWait, IsTheWaitingPartOfTheTimeInWhichThreadsCouldRun) {
  EXPECT_DOUBLE_EQ(waitOf(kBusyRows).share(), 0.7);
  EXPECT_TRUE(waitOf(kBusyRows).isLong());
  EXPECT_DOUBLE_EQ(waitOf(kQuietRows).share(), 0.01);
  EXPECT_FALSE(waitOf(kQuietRows).isLong());
}

TEST(ProcessorWait, AddsUpOverProcesses) {
  const ProcessorWait wait = processorWait(runOf({kBusyRows, kQuietRows}));
  EXPECT_EQ(wait.runningNs, 12'900'000);
  EXPECT_EQ(wait.waitingNs, 7'100'000);
}

TEST(ProcessorWait, IsNotReadFromCountersOfDevices) {
  EXPECT_EQ(waitOf(counter("running", "1", 0) + counter("waiting", "1e9", 0)).waitingNs, 0);
}

TEST(ProcessorWait, BelievesNoImpossibleCounter) {
  for (const char* value : {"nan", "-1", "-inf"}) {
    EXPECT_EQ(waitOf(counter("waiting", value)).waitingNs, 0) << value;
  }
  for (const char* value : {"inf", "1e300"}) {
    const ProcessorWait wait = waitOf(counter("waiting", value) + counter("waiting", value));
    EXPECT_GT(wait.waitingNs, 0) << value;
    EXPECT_DOUBLE_EQ(wait.share(), 1) << value;
  }
}

TEST(ProcessorWait, IsSaidBesideTheSpeed) {
  const std::string verdict = analyze(runOf(callRows(50) + kBusyRows)).verdict;
  EXPECT_NE(verdict.find("as fast as eager ones. The machine was busy: in 70 % of the time"),
            std::string::npos)
      << verdict;
  EXPECT_EQ(analyze(runOf(callRows(50) + kQuietRows)).verdict,
            analyze(runOf(callRows(50))).verdict);
}

TEST(ProcessorWait, IsNotSaidWhereNoTimeIs) {
  EXPECT_EQ(analyze(runOf(kBusyRows)).verdict, analyze(runOf("")).verdict);
}

TEST(ProcessorWait, LeavesItOpenWhetherACallableIsSlowerThanEager) {
  const auto slower = [](const std::string& rows) {
    const auto findings = findingsOf(rows, FindingKind::kSlowerThanEager);
    return findings.empty() ? Advice{} : findings.front().advice;
  };
  EXPECT_EQ(slower(callRows(200) + kQuietRows).certainty, Certainty::kLikely);
  const Advice advice = slower(callRows(200) + kBusyRows);
  EXPECT_EQ(advice.certainty, Certainty::kUnknown);
  EXPECT_TRUE(advice.fix.starts_with("record again on a quiet machine")) << advice.fix;
}

}  // namespace
}  // namespace jitscope::analyzer
