#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<Finding> ofClass(const std::vector<Finding>& findings, std::string_view causeClass) {
  std::vector<Finding> result;
  for (const Finding& finding : findings) {
    if (finding.causeClass == causeClass) result.push_back(finding);
  }
  return result;
}

/// A compiled region of one kernel, with a cast in front of it that runs eagerly.
constexpr std::string_view kCastInFront = R"(
frame  frame=0 name="step" file="step.py" line=3
region frame=0 attempt=0 segment=0 at=20us..40us thread=1 graph="g"
op     at=1us..9us thread=1 name="aten::to"
op     at=2us..8us thread=1 depth=1 name="aten::_to_copy"
op     at=3us..7us thread=1 depth=2 name="aten::copy_"
api    at=4us..5us thread=1 correlation=1 name="cudaLaunchKernel"
api    at=25us..26us thread=1 correlation=2 name="cuLaunchKernel"
kernel at=50us..60us correlation=1 name="bfloat16_copy_kernel_cuda"
kernel at=61us..91us correlation=2 name="triton_poi_fused_add_0"
)";

TEST(BorderCopies, ACastInFrontOfCompiledCodeIsTold) {
  const std::vector<Finding> findings =
      ofClass(findingsOf(kCastInFront, FindingKind::kMemoryTraffic), "border_copy");
  ASSERT_EQ(findings.size(), 1U);
  const Finding& finding = findings.front();
  EXPECT_EQ(finding.id, "memory_traffic/border_copy/aten::to/in front of/step");
  EXPECT_EQ(finding.cost, (Cost{10'000, 1, 0}));
  EXPECT_NE(finding.advice.title.find("cast"), std::string::npos) << finding.advice.title;
  EXPECT_NE(finding.advice.fix.find("inside of the compiled function"), std::string::npos);
  ASSERT_TRUE(finding.estimate);
  EXPECT_EQ(finding.estimate->nowNs, 40'000);
  EXPECT_EQ(finding.estimate->withoutNs, 30'000);
}

TEST(BorderCopies, CopiesAmongEagerKernelsAreNone) {
  std::string rows(kCastInFront);
  rows.replace(rows.find("region"), rows.find("op     ") - rows.find("region"), "");
  rows.replace(rows.find("triton_poi_fused_add_0"), 22, "ampere_sgemm_128x64_tn");
  EXPECT_TRUE(ofClass(findingsOf(rows, FindingKind::kMemoryTraffic), "border_copy").empty());
}

TEST(BorderCopies, OnesOfAReplaysInputsSayHowToKeepThemInPlace) {
  const std::vector<Finding> findings = ofClass(findingsOf(R"(
process pid=1 executable="/usr/bin/python3"
op     at=3us..7us thread=1 name="aten::_foreach_copy_"
api    at=4us..5us thread=1 correlation=1 name="cudaLaunchKernel"
api    at=8us..9us thread=1 correlation=2 name="cudaGraphLaunch"
kernel at=50us..60us correlation=1 name="multi_tensor_apply_kernel"
kernel at=61us..91us correlation=2 name="triton_poi_fused_add_0" origin=replay
)",
                                                           FindingKind::kMemoryTraffic),
                                                "border_copy");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].advice.fix.find("mark_static_address"), std::string::npos);
}

TEST(Cudagraph, SkipsAreEstimatedByTheGapsOfCompiledKernels) {
  std::string rows = R"(
frame    frame=0 name="step" file="step.py" line=3
region   frame=0 attempt=0 segment=0 at=90us..1000us thread=1 graph="g"
artifact frame=0 attempt=0 time_ns=50us kind="cudagraph_skip" name="cpu device"
)";
  for (int i = 0; i < 4; ++i) {
    const int at = 100 + 10 * i;
    rows += fmt::format(
        "api at={0}us..{1}us thread=1 correlation={2} name=\"cuLaunchKernel\"\n"
        "kernel at={1}us..{3}us correlation={2} name=\"triton_poi_fused_add_0\"\n",
        at, at + 1, i + 1, at + 3);
  }
  const std::vector<Finding> findings = findingsOf(rows, FindingKind::kCudagraph);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "cudagraph/cpu_device/0/0");
  ASSERT_TRUE(findings[0].estimate);
  EXPECT_EQ(findings[0].estimate->nowNs, 32'000);
  EXPECT_EQ(findings[0].estimate->withoutNs, 8'000);
}

TEST(Cudagraph, BatchesOfFewerRowsThanNoneAreNotCounted) {
  const std::vector<Finding> findings = findingsOf(R"(
artifact kind="graph_runs" name="-9223372036854775807 9 1 FULL"
artifact kind="graph_runs" name="9 -9223372036854775807 1 FULL"
artifact kind="graph_runs" name="6 8 10 FULL"
)",
                                                   FindingKind::kCudagraph);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "cudagraph/padding");
  EXPECT_EQ(evidence(findings[0], "rows"), 80);
  EXPECT_EQ(evidence(findings[0], "rows of padding"), 20);
}

TEST(ModuleLoad, IsWhatFirstLaunchesCostBeyondTheOthers) {
  std::string rows = "process pid=1 executable=\"/srv/decoder\"\n";
  for (int i = 0; i < 20; ++i) {
    const int at = 100'000 + 50'000 * i;
    const int launch = i < 2 ? 30'000 : 5;  // two kernels, each loaded by its first launch
    rows += fmt::format(
        "api at={0}us..{1}us thread=1 correlation={2} name=\"cudaLaunchKernel\"\n"
        "kernel at={1}us..{3}us correlation={2} name=\"k{4}\"\n",
        at, at + launch, i + 1, at + launch + 10, i % 2);
  }
  const std::vector<Finding> findings = findingsOf(rows, FindingKind::kColdCompile);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "cold_compile/module_load");
  EXPECT_EQ(findings[0].cost.timeNs, 2 * 29'995'000);
  EXPECT_EQ(evidence(findings[0], "kernels"), 2);
  EXPECT_FALSE(findings[0].advice.isAvoidable);
  EXPECT_NE(findings[0].advice.fix.find("torch::cuda::synchronize()"), std::string::npos);
  EXPECT_NE(findings[0].advice.fix.find("CUDA_MODULE_LOADING=EAGER"), std::string::npos);
}

TEST(ModuleLoad, IsNoneWhereLaterLaunchesAreAsLong) {
  std::string rows;
  for (int i = 0; i < 20; ++i) {
    const int at = 100'000 + 50'000 * i;
    const int launch = i % 4 == 0 ? 30'000 : 5;  // the queue of launches is full again and again
    rows += fmt::format(
        "api at={0}us..{1}us thread=1 correlation={2} name=\"cudaLaunchKernel\"\n"
        "kernel at={1}us..{3}us correlation={2} name=\"k{4}\"\n",
        at, at + launch, i + 1, at + launch + 10, i % 2);
  }
  EXPECT_TRUE(findingsOf(rows, FindingKind::kColdCompile).empty());
}

TEST(ModuleLoad, IsNoneWhereACompilationLoads) {
  EXPECT_TRUE(findingsOf(R"(
frame   frame=0 name="step" file="step.py" line=3
compile frame=0 attempt=0 at=0ms..100ms thread=1
api     at=1ms..90ms thread=1 correlation=1 name="cuModuleLoadData"
)",
                         FindingKind::kColdCompile)
                  .empty());
  const std::vector<Finding> findings =
      findingsOf("api at=1ms..90ms thread=1 correlation=1 name=\"cuModuleLoadData\"\n",
                 FindingKind::kColdCompile);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].cost.timeNs, 89'000'000);
}

/// Calls of a scripted module of so many milliseconds each.
std::string scriptCalls(const std::vector<int>& durationsMs, std::string_view inside) {
  std::string rows = "process pid=1 executable=\"/srv/decoder\"\n";
  int at = 0;
  for (const int duration : durationsMs) {
    rows += fmt::format("op at={}ms..{}ms thread=1 name=\"forward\"\n", at, at + duration);
    rows +=
        fmt::format("op at={}ms..{}ms thread=1 depth=1 name=\"{}\"\n", at, at + duration, inside);
    at += duration + 1;
  }
  return rows;
}

TEST(ScriptWarmUp, IsToldWithTheFusionStrategy) {
  const std::vector<Finding> findings =
      findingsOf(scriptCalls({900, 400, 2, 2, 2, 2, 100, 2, 2}, "prim::TensorExprGroup"),
                 FindingKind::kColdCompile);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "cold_compile/torchscript_warm_up/forward");
  EXPECT_EQ(findings[0].count(), 3);
  EXPECT_EQ(evidence(findings[0], "at the start"), 2);
  EXPECT_EQ(findings[0].cost.timeNs, (898 + 398 + 98) * 1'000'000);
  EXPECT_NE(findings[0].advice.fix.find("setFusionStrategy"), std::string::npos);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kLikely);
}

TEST(ScriptWarmUp, IsNoneOfWhatIsNoScriptOrIsWarm) {
  EXPECT_TRUE(
      findingsOf(scriptCalls({900, 400, 2, 2, 2, 2, 2}, "aten::mm"), FindingKind::kColdCompile)
          .empty());
  EXPECT_TRUE(findingsOf(scriptCalls({2, 2, 2, 2, 2, 2, 2}, "prim::TensorExprGroup"),
                         FindingKind::kColdCompile)
                  .empty());
}

constexpr std::string_view kCollectives = R"(
process pid=1 rank=0
kernel at=0us..100us stream=7 name="gemm"
kernel at=50us..250us stream=8 name="ncclDevKernel_AllReduce_Sum_bf16"
kernel at=200us..220us stream=7 name="gemm"
kernel at=250us..300us stream=7 name="gemm"
)";

TEST(ExposedCollectives, AreToldOfOneRank) {
  const std::vector<Finding> findings = findingsOf(kCollectives, FindingKind::kStraggler);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "exposed_collective");
  // From 100 to 200 and from 220 to 250.
  EXPECT_EQ(findings[0].cost.timeNs, 130'000);
  EXPECT_EQ(findings[0].advice.certainty, Certainty::kUnknown);
  EXPECT_NE(findings[0].advice.fix.find("record all ranks"), std::string::npos);
  ASSERT_TRUE(findings[0].estimate);
  EXPECT_EQ(findings[0].estimate->withoutNs, 170'000);
}

TEST(ExposedCollectives, AreNoneOfSeveralRanksOrWhenHidden) {
  EXPECT_TRUE(ofClass(findingsOf({kCollectives, kCollectives}, FindingKind::kStraggler),
                      "exposed_collective")
                  .empty());
  EXPECT_TRUE(findingsOf(R"(
kernel at=0us..300us stream=7 name="gemm"
kernel at=50us..250us stream=8 name="ncclDevKernel_AllReduce_Sum_bf16"
)",
                         FindingKind::kStraggler)
                  .empty());
}

TEST(MemoryTraffic, OfSamplesSaysHowWrongTheyCanBe) {
  std::string rows = "device device=0 name=\"H\" peak_bytes_per_second=1.0e12\n";
  for (int i = 0; i < 12; ++i) {
    rows += fmt::format(
        "counter at={0}us..{1}us metric=\"dram_read_bytes\" value=1000000\n"
        "counter at={0}us..{1}us metric=\"dram_write_bytes\" value=1000000\n",
        10 * i, 10 * i + 10);
  }
  // 20 MB in 100 us are 200 GB/s.
  rows += "kernel at=10us..110us name=\"triton_poi_fused_add_0\"\n";
  const std::vector<Finding> findings = findingsOf(rows, FindingKind::kMemoryTraffic);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "low_bandwidth");
  EXPECT_EQ(evidence(findings[0], "measured bytes"), 20'000'000);
  EXPECT_GT(evidence(findings[0], "error bytes"), 0);
  EXPECT_NE(findings[0].advice.cause.find("measured bytes"), std::string::npos);
  ASSERT_TRUE(findings[0].estimate);
  EXPECT_EQ(findings[0].estimate->nowNs, 100'000);
}

TEST(MemoryTraffic, IsComparedWithACopyOfTheSameRecording) {
  // The copy moves 2 * 300 MB in 300 us: 2000 GB/s, of which the kernel reaches a quarter.
  const std::vector<Finding> findings = findingsOf(R"(
device device=0 name="H"
memcpy at=0us..300us kind=3 bytes=300000000
kernel at=400us..420us name="triton_poi_fused_add_0" modelled_bytes=10000000
)",
                                                   FindingKind::kMemoryTraffic);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NE(findings[0].advice.title.find("25 %"), std::string::npos) << findings[0].advice.title;
  EXPECT_NE(findings[0].advice.cause.find("a plain copy in this recording reaches 2000"),
            std::string::npos)
      << findings[0].advice.cause;
}

TEST(MissedFusion, TellsElementsWhereNoModelTellsBytes) {
  const std::vector<Finding> findings = findingsOf(R"(
op  at=1us..2us thread=1 name="aten::mul" shapes="[1000, 1000], [1000]"
op  at=3us..4us thread=1 name="aten::sum" shapes="[1000, 1000]"
api at=1us..2us thread=1 correlation=1 name="cudaLaunchKernel"
api at=3us..4us thread=1 correlation=2 name="cudaLaunchKernel"
kernel at=10us..14us correlation=1 name="vectorized_elementwise_kernel<4>"
kernel at=15us..21us correlation=2 name="reduce_kernel<512>"
)",
                                                   FindingKind::kMissedFusion);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].causeClass, "pointwise_and_reduction");
  EXPECT_EQ(evidence(findings[0], "elements written and read again"), 1'000'000);
  EXPECT_NE(findings[0].advice.cause.find("4.00 MB would not be moved at two bytes an element"),
            std::string::npos)
      << findings[0].advice.cause;
}

}  // namespace
}  // namespace jitscope::analyzer
