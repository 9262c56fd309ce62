#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

/// Kernels of 2 µs, each launched 10 µs after the one before.
std::string slowLaunches(int count, std::string_view operatorName, std::string_view before = "") {
  std::string rows(before);
  for (int i = 0; i < count; ++i) {
    const int at = 100 + 10 * i;
    rows += fmt::format(
        "op at={0}us..{1}us thread=1 name=\"{3}\"\n"
        "api at={0}us..{2}us thread=1 correlation={4} name=\"cudaLaunchKernel\"\n"
        "kernel at={2}us..{5}us correlation={4} name=\"k\"\n",
        at, at + 9, at + 1, operatorName, i + 1, at + 3);
  }
  return rows;
}

TEST(IdleDevice, WaitsForLaunches) {
  const std::vector<Finding> findings =
      findingsOf(slowLaunches(20, "aten::mul"), FindingKind::kHostBound);
  ASSERT_EQ(findings.size(), 1U);
  // 19 gaps of 8 µs between 20 kernels of 2 µs.
  EXPECT_EQ(findings[0].cost.timeNs, 152'000);
  EXPECT_EQ(findings[0].count(), 19);
  EXPECT_NE(findings[0].advice.cause.find("aten::mul (152 µs)"), std::string::npos)
      << findings[0].advice.cause;
  ASSERT_TRUE(findings[0].estimate);
  EXPECT_EQ(findings[0].estimate->nowNs, 192'000);
  EXPECT_EQ(findings[0].estimate->withoutNs, 40'000);
}

TEST(IdleDevice, IsToldToReplayGraphsWhereTheCodeIsCompiled) {
  const std::string rows = slowLaunches(20, "aten::mul", R"(
frame frame=0 name="step" file="step.py" line=3
region frame=0 attempt=0 segment=0 at=90us..1000us thread=1 origin=compiled
)");
  const std::vector<Finding> findings = findingsOf(rows, FindingKind::kHostBound);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].advice.fix.find("CUDAGraph"), std::string::npos) << findings[0].advice.fix;
}

TEST(IdleDevice, IsNoneWhenLaunchesCameInTime) {
  std::string rows;
  for (int i = 0; i < 20; ++i) {
    rows += fmt::format(
        "api at={0}us..{1}us thread=1 correlation={2} name=\"cudaLaunchKernel\"\n"
        "kernel at={3}us..{4}us correlation={2} name=\"k\"\n",
        i, i + 1, i + 1, 100 + 10 * i, 104 + 10 * i);
  }
  EXPECT_TRUE(findingsOf(rows, FindingKind::kHostBound).empty());
}

TEST(IdleDevice, LeavesOutWhatCompilingCosts) {
  const std::string rows = slowLaunches(20, "aten::mul", R"(
frame frame=0 name="step" file="step.py" line=3
compile frame=0 attempt=0 at=90us..1000us thread=1
)");
  EXPECT_TRUE(findingsOf(rows, FindingKind::kHostBound).empty());
}

TEST(IdleDevice, NamesTheOperatorThatWaits) {
  std::string rows;
  for (int i = 0; i < 4; ++i) {
    const int at = 100 + 100 * i;
    rows += fmt::format(
        "api at={0}us..{1}us thread=1 correlation={2} name=\"cudaLaunchKernel\"\n"
        "kernel at={1}us..{3}us correlation={2} name=\"k\"\n"
        "op at={1}us..{4}us thread=1 name=\"aten::item\"\n"
        "api at={5}us..{4}us thread=1 correlation={6} name=\"cudaStreamSynchronize\"\n",
        at, at + 2, 2 * i + 1, at + 20, at + 21, at + 3, 2 * i + 2);
  }
  const std::vector<Finding> findings = findingsOf(rows, FindingKind::kSynchronization);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "synchronization/cudaStreamSynchronize/aten::item");
  EXPECT_EQ(findings[0].count(), 3);
  EXPECT_EQ(findings[0].cost.timeNs, 3 * 82'000);
}

}  // namespace
}  // namespace jitscope::analyzer
