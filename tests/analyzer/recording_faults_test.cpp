#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

/// What is wrong with a recording, and what must be said of it.
struct FaultCase {
  std::string name;
  std::string rows;
  std::string id;
  int64_t count = 0;
  std::vector<std::string> words;  ///< in title, cause or fix
};

class RecordingFaults : public testing::TestWithParam<FaultCase> {};

TEST_P(RecordingFaults, AreTold) {
  const FaultCase& expected = GetParam();
  const std::vector<Finding> findings = findingsOf(expected.rows, FindingKind::kRecording);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, expected.id);
  EXPECT_EQ(findings[0].count(), expected.count);
  const Advice& advice = findings[0].advice;
  const std::string told = advice.title + "\n" + advice.cause + "\n" + advice.fix;
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << "\n" << told;
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RecordingFaults,
    testing::Values(FaultCase{"ClockSkew",
                              R"(
api at=20us..21us thread=1 correlation=1 name="cudaLaunchKernel"
api at=30us..31us thread=1 correlation=2 name="cudaLaunchKernel"
api at=40us..41us thread=1 correlation=3 name="cudaLaunchKernel"
kernel at=19us..20us correlation=1 name="a"
kernel at=27us..28us correlation=2 name="a"
kernel at=44us..45us correlation=3 name="a"
)",
                              "recording/clock_skew",
                              2,
                              {"2 kernels and copies start before their launch",
                               "median lead is 3.00 µs"}},
                    FaultCase{"NoKernels",
                              R"(
op  at=10us..40us thread=1 name="aten::mm"
api at=20us..21us thread=1 correlation=1 name="cudaLaunchKernel"
api at=30us..31us thread=1 correlation=2 name="cuLaunchKernelEx"
api at=32us..33us thread=1 correlation=3 name="cudaGraphLaunch"
)",
                              "recording/no_kernels",
                              3,
                              {"one subscriber", "nsys", "torch.profiler"}},
                    FaultCase{"LostAtTheStart",
                              R"(
api at=10us..11us thread=1 correlation=1 name="cudaLaunchKernel"
api at=20us..21us thread=1 correlation=2 name="cudaLaunchKernel"
api at=30us..31us thread=1 correlation=3 name="cudaLaunchKernel"
kernel at=40us..41us correlation=3 name="a"
)",
                              "recording/lost_at_start",
                              2,
                              {"too low", "warm"}},
                    FaultCase{"LostAtTheEnd",
                              R"(
api at=10us..11us thread=1 correlation=1 name="cudaLaunchKernel"
api at=20us..21us thread=1 correlation=2 name="cudaLaunchKernel"
kernel at=15us..16us correlation=1 name="a"
)",
                              "recording/lost_at_end",
                              1,
                              {"synchronize"}},
                    FaultCase{"LostBetween",
                              R"(
api at=10us..11us thread=1 correlation=1 name="cudaLaunchKernel"
api at=20us..21us thread=1 correlation=2 name="cudaLaunchKernel"
api at=30us..31us thread=1 correlation=3 name="cudaLaunchKernel"
kernel at=15us..16us correlation=1 name="a"
kernel at=35us..36us correlation=3 name="a"
)",
                              "recording/lost_kernels",
                              1,
                              {"buffers"}},
                    FaultCase{"ZeroDuration",
                              R"(
api at=10us..11us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=15us..15us correlation=1 name="a"
)",
                              "recording/zero_duration",
                              1,
                              {"lower bounds"}},
                    FaultCase{"Overlap",
                              R"(
api at=1us..2us thread=1 correlation=1 name="cudaLaunchKernel"
api at=2us..3us thread=1 correlation=2 name="cudaLaunchKernel"
kernel at=10us..60us correlation=1 stream=7 name="a"
kernel at=50us..100us correlation=2 stream=7 name="b"
)",
                              "recording/overlapping_kernels",
                              1,
                              {"PDL", "durations sum to 100 µs", "busy for 90.0 µs"}},
                    FaultCase{"NoCorrelation",
                              R"(
op  at=5us..9us thread=1 correlation=-3 name="aten::mm"
kernel at=15us..16us correlation=-3 name="a"
)",
                              "recording/no_correlation",
                              1,
                              {"External id"}},
                    FaultCase{"Unjoined",
                              R"(
api at=1us..2us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=15us..16us correlation=1 name="a"
kernel at=17us..18us correlation=2 name="a"
)",
                              "recording/unjoined_kernels",
                              1,
                              {"belong to no operator"}},
                    FaultCase{"DeviceOnly",
                              R"(
kernel at=15us..16us correlation=1 name="a"
kernel at=17us..18us correlation=2 name="a"
)",
                              "recording/device_only",
                              2,
                              {"no host side", "ProfilerActivity.CPU"}}),
    [](const auto& info) { return info.param.name; });

TEST(RecordingFaultsOf, AStreamThatIsCapturedAreNone) {
  EXPECT_TRUE(findingsOf(R"(
api at=1us..2us thread=1 correlation=1 name="cudaStreamBeginCapture"
api at=10us..11us thread=1 correlation=2 name="cudaLaunchKernel"
api at=20us..21us thread=1 correlation=3 name="cudaStreamEndCapture"
api at=30us..31us thread=1 correlation=4 name="cudaGraphLaunch"
kernel at=40us..41us correlation=4 name="a"
)",
                         FindingKind::kRecording)
                  .empty());
}

TEST(RecordingFaultsOf, AGraphRecordedAsOneLaunchAreNone) {
  EXPECT_TRUE(findingsOf(R"(
api at=30us..31us thread=1 correlation=4 name="cudaGraphLaunch"
graph_launch at=40us..41us correlation=4 graph=2
)",
                         FindingKind::kRecording)
                  .empty());
}

TEST(RecordingFaultsOf, DifferentStreamsThatOverlapAreNone) {
  EXPECT_TRUE(findingsOf(R"(
api at=1us..2us thread=1 correlation=1 name="cudaLaunchKernel"
api at=2us..3us thread=1 correlation=2 name="cudaLaunchKernel"
kernel at=10us..60us correlation=1 stream=7 name="a"
kernel at=50us..100us correlation=2 stream=8 name="b"
)",
                         FindingKind::kRecording)
                  .empty());
}

TEST(RecordingFaultsOf, SeveralProcessesAreOneFinding) {
  const std::string_view rows = R"(
api at=10us..11us thread=1 correlation=1 name="cudaLaunchKernel"
kernel at=9us..10us correlation=1 name="a"
)";
  const std::vector<Finding> findings = findingsOf({rows, rows}, FindingKind::kRecording);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count(), 2);
  EXPECT_EQ(evidence(findings[0], "processes"), 2);
}

}  // namespace
}  // namespace jitscope::analyzer
