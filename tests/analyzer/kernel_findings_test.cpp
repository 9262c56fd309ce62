#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kChain = R"(
op  at=1us..2us thread=1 name="aten::mul"
op  at=3us..4us thread=1 name="aten::add"
op  at=5us..6us thread=1 name="aten::relu"
api at=1us..2us thread=1 correlation=1 name="cudaLaunchKernel"
api at=3us..4us thread=1 correlation=2 name="cudaLaunchKernel"
api at=5us..6us thread=1 correlation=3 name="cudaLaunchKernel"
kernel at=10us..14us correlation=1 name="vectorized_elementwise_kernel<4>" modelled_bytes=300
kernel at=15us..21us correlation=2 name="vectorized_elementwise_kernel<4>" modelled_bytes=300
kernel at=22us..24us correlation=3 name="vectorized_elementwise_kernel<4>" modelled_bytes=200
)";

TEST(MissedFusion, IsAChainOfSmallKernels) {
  const std::vector<Finding> findings = findingsOf(kChain, FindingKind::kMissedFusion);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "missed_fusion/aten::mul+aten::add+aten::relu");
  // 12 µs in three kernels, the longest of which takes 6.
  EXPECT_EQ(findings[0].cost, (Cost{6'000, 2, 500}));
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kLikely);
}

TEST(MissedFusion, HasNoPlaceThatTheVerdictCouldTell) {
  const std::string verdict = analyze(runOf(kChain)).verdict;
  EXPECT_NE(verdict.find("; the worst: "), std::string::npos) << verdict;
}

TEST(MissedFusion, IsNoneWhereAnotherKernelStandsBetween) {
  std::string rows(kChain);
  rows.replace(rows.find("vectorized_elementwise_kernel<4>\" modelled_bytes=300\nkernel at=22"), 32,
               "ampere_sgemm_128x64");
  EXPECT_TRUE(findingsOf(rows, FindingKind::kMissedFusion).empty());
}

/// So many kernels of an operator, one after the other.
std::string kernelsOf(std::string_view op, std::string_view kernel, int count) {
  std::string rows;
  for (int i = 1; i <= count; ++i)
    rows += fmt::format(
        "op at={0}us..{1}us thread=1 name=\"{2}\"\n"
        "api at={0}us..{1}us thread=1 correlation={3} name=\"cudaLaunchKernel\"\n"
        "kernel at={4}us..{5}us correlation={3} name=\"{6}\"\n",
        2 * i, 2 * i + 1, op, i, 100 + 10 * i, 108 + 10 * i, kernel);
  return rows;
}

TEST(MissedFusion, OfOneOperatorOnManyTensorsIsForForeach) {
  const std::vector<Finding> findings =
      findingsOf("process pid=1 executable=\"python\"\n" +
                     kernelsOf("aten::add_", "vectorized_elementwise_kernel<4>", 5),
                 FindingKind::kMissedFusion);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].advice.title, "5 kernels in a row could be one: aten::add_ (5 times)");
  EXPECT_EQ(findings[0].advice.cause.find("reads and writes"), std::string::npos);
  EXPECT_NE(findings[0].advice.fix.find("foreach=True"), std::string::npos);
}

TEST(MissedFusion, IsNoneOfWhatIsFusedOrOutOfReach) {
  EXPECT_TRUE(
      findingsOf(kernelsOf("Optimizer.step#FusedAdam.step",
                           "multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor>", 5),
                 FindingKind::kMissedFusion)
          .empty());
  EXPECT_TRUE(findingsOf(kernelsOf("torch::distributed::reducer::mul_out",
                                   "vectorized_elementwise_kernel<4>", 5),
                         FindingKind::kMissedFusion)
                  .empty());
}

TEST(MissedFusion, IsNoneInCompiledCode) {
  const std::string rows =
      std::string(kChain) + "region frame=0 attempt=0 segment=0 at=0us..9us thread=1\n";
  EXPECT_TRUE(findingsOf(rows, FindingKind::kMissedFusion).empty());
}

TEST(MemoryTraffic, BeyondTheModelIsTold) {
  const std::vector<Finding> findings = findingsOf(R"(
device device=0 name="H" peak_bytes_per_second=4.0e12
kernel at=0us..20us name="triton_poi_fused_add_0" bytes_read=30000000 bytes_written=30000000 modelled_bytes=40000000
kernel at=30us..50us name="triton_poi_fused_mul_1" bytes_read=20000000 bytes_written=20000000 modelled_bytes=40000000
)",
                                                   FindingKind::kMemoryTraffic);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "memory_traffic/more_than_modelled/triton_poi_fused_add_0");
  EXPECT_EQ(findings[0].cost.bytes, 20'000'000);
}

TEST(MemoryTraffic, FarBelowTheMemorysRateIsTold) {
  // 8 MB in 20 µs are 400 GB/s, a tenth of what the device has.
  const std::vector<Finding> findings = findingsOf(R"(
device device=0 name="H" peak_bytes_per_second=4.0e12
kernel at=0us..20us name="triton_poi_fused_add_0" modelled_bytes=8000000
kernel at=30us..50us name="gemm" modelled_bytes=8000000
)",
                                                   FindingKind::kMemoryTraffic);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "low_bandwidth");
  EXPECT_NE(findings[0].advice.title.find("10 %"), std::string::npos) << findings[0].advice.title;
  EXPECT_NE(findings[0].advice.cause.find("modelled bytes"), std::string::npos);
  EXPECT_EQ(findings[0].cost.timeNs, 16'000);
}

TEST(Straggler, IsTheRankThatArrivesLast) {
  const auto rank = [](int number, int lateUs) {
    std::string rows = fmt::format("process pid={} rank={}\n", 100 + number, number);
    for (int i = 0; i < 5; ++i) {
      const int end = 100 + 100 * i;
      rows += fmt::format("kernel at={}us..{}us name=\"ncclDevKernel_AllReduce_Sum_f32\"\n",
                          end - 50 + lateUs, end);
    }
    return rows;
  };
  const std::string first = rank(0, 0), second = rank(1, 40);
  const std::vector<Finding> findings = findingsOf({first, second}, FindingKind::kStraggler);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].advice.title.find("rank 1 is late"), std::string::npos);
  EXPECT_EQ(findings[0].cost.timeNs, 5 * 40'000);
  EXPECT_EQ(evidence(findings[0], "last arrivals"), 5);
  EXPECT_TRUE(findingsOf({first, rank(1, 0)}, FindingKind::kStraggler).empty());
  EXPECT_TRUE(findingsOf(first, FindingKind::kStraggler).empty());
}

TEST(GuardCost, IsToldWhereGuardsTakeATenthOfTheCall) {
  std::string rows = "frame frame=0 name=\"step\" file=\"step.py\" line=3\n";
  for (int i = 0; i < 4; ++i) {
    rows += fmt::format("call frame=0 attempt=0 at={}us..{}us thread=1 outcome=hit guard_ns=20us\n",
                        1000 * i, 1000 * i + 100);
  }
  const std::vector<Finding> findings = findingsOf(rows, FindingKind::kGuardCost);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 80'000);
  EXPECT_EQ(evidence(findings[0], "percent"), 20);
  EXPECT_NE(findings[0].advice.title.find("20.0 µs of each call of step"), std::string::npos);
}

TEST(GuardCost, IsNoneWhereGuardsAreCheap) {
  std::string rows = "frame frame=0 name=\"step\" file=\"step.py\" line=3\n";
  for (int i = 0; i < 4; ++i) {
    rows += fmt::format("call frame=0 attempt=0 at={}us..{}us thread=1 outcome=hit guard_ns=2us\n",
                        1000 * i, 1000 * i + 100);
  }
  EXPECT_TRUE(findingsOf(rows, FindingKind::kGuardCost).empty());
}

TEST(ColdCompile, SaysWhereTheTimeWent) {
  const std::vector<Finding> findings = findingsOf(R"(
frame frame=0 name="step" file="step.py" line=3
frame frame=1 name="loss" file="step.py" line=9
compile frame=0 attempt=0 at=0us..900us thread=1 cache=2 capture_ns=100us codegen_ns=500us
compile frame=1 attempt=0 at=900us..1000us thread=1 cache=2 capture_ns=100us
compile frame=0 attempt=1 at=2000us..2900us thread=1 cache=2 capture_ns=100us
compile frame=1 attempt=1 at=3000us..3900us thread=1 cache=1 capture_ns=100us
)",
                                                   FindingKind::kColdCompile);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "cache_miss");
  EXPECT_EQ(findings[0].count(), 2);
  EXPECT_EQ(findings[0].cost.timeNs, 700'000);
  EXPECT_FALSE(findings[0].advice.isAvoidable);
  EXPECT_NE(findings[0].advice.cause.find("code generation 500 µs"), std::string::npos);
  EXPECT_NE(findings[0].advice.cause.find("step (600 µs)"), std::string::npos);
}

TEST(ColdCompile, NamesThePartsOfTheKeyThatDifferBetweenProcesses) {
  const std::string compile =
      "frame frame=0 name=\"step\" file=\"step.py\" line=3\n"
      "compile frame=0 attempt=0 at=0us..900us thread=1 cache=2 capture_ns=100us\n"
      "artifact frame=0 attempt=0 kind=\"cache_key\" name=\"fx_graph\" content=";
  const std::string one = compile + "\"gm aa\\ninductor_config[max_autotune] bb\\ndevice 0\\n\"\n";
  const std::string other =
      compile + "\"gm aa\\ninductor_config[max_autotune] cc\\ndevice 0\\n\"\n";
  const std::vector<Finding> differing = findingsOf({one, other}, FindingKind::kColdCompile);
  ASSERT_EQ(differing.size(), 1U);
  const std::string& cause = differing[0].advice.cause;
  EXPECT_NE(cause.find("differ between the processes: inductor_config[max_autotune]"),
            std::string::npos)
      << cause;
  EXPECT_EQ(cause.find("gm"), std::string::npos) << cause;
  const std::vector<Finding> alone = findingsOf(one, FindingKind::kColdCompile);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_NE(alone[0].advice.cause.find("cannot be told from one recording"), std::string::npos);
}

TEST(ColdCompile, SaysWhyAGraphWentPastTheCache) {
  const std::vector<Finding> findings = findingsOf(R"(
process pid=1 executable="python"
frame frame=0 name="step" file="step.py" line=3
compile frame=0 attempt=0 at=0us..900us thread=1 cache=3 capture_ns=100us
artifact frame=0 attempt=0 kind="cache_bypass" name="fx_graph" content="Failed to pickle cache key"
artifact frame=0 attempt=0 kind="compile_phase" name="autotuning" content="50000"
)",
                                                   FindingKind::kColdCompile);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "cache_bypass");
  EXPECT_NE(findings[0].advice.cause.find("Failed to pickle cache key"), std::string::npos);
  EXPECT_NE(findings[0].advice.cause.find("50.0 µs in autotuning"), std::string::npos);
  EXPECT_NE(findings[0].advice.fix.find("lambdas"), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
