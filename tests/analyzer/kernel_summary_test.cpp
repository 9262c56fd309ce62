// What ran on the GPU, grouped, and what it moved.
#include "analyzer/kernel_summary.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/reports/kernel_tables.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kRows = R"(
frame  frame=0 name="step" file="step.py" line=5
call   frame=0 attempt=-1 at=10us..20us thread=1 outcome=limit
op     at=11us..13us thread=1 name="aten::mul"
api    at=12us..13us thread=1 correlation=1 name="cudaLaunchKernel"
op     at=14us..16us thread=1 name="aten::add"
api    at=15us..16us thread=1 correlation=2 name="cudaLaunchKernel"
call   frame=0 attempt=1 at=30us..50us thread=1 outcome=hit
region frame=0 attempt=1 segment=0 at=31us..49us thread=1
api    at=40us..41us thread=1 correlation=3 name="cuLaunchKernel"
call   frame=0 attempt=1 at=60us..70us thread=1 outcome=hit
region frame=0 attempt=1 segment=0 at=61us..69us thread=1
api    at=65us..66us thread=1 correlation=4 name="cuLaunchKernel"
api    at=80us..81us thread=1 correlation=5 name="cudaGraphLaunch"
kernel at=100us..104us correlation=1 name="elementwise"
kernel at=104us..107us correlation=2 name="elementwise"
kernel at=110us..115us correlation=3 name="triton_fused_add_mul_0"
kernel at=120us..126us correlation=4 name="triton_fused_add_mul_0"
kernel at=130us..131us correlation=5 graph_node=9 origin=replay name="replayed"
kernel at=140us..141us correlation=99 name="of a launch that is lost"
)";

TEST(KernelSummary, TellsHowKernelsCameToRun) {
  const KernelSummary summary = summarizeKernels(runOf(kRows));
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kEager).count, 2);
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kEager).totalNs, 7'000);
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kCompiled).count, 2);
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kReplay).count, 1);
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kUnknown).count, 1);
  EXPECT_EQ(summary.withOp, 2);
  EXPECT_EQ(summary.withGraph, 2);
}

TEST(KernelSummary, CountsTheKernelsOfACallableEagerlyAndCompiled) {
  const KernelSummary summary = summarizeKernels(runOf(kRows));
  ASSERT_EQ(summary.byFrame.size(), 1U);
  EXPECT_EQ(summary.byFrame[0].eager.count, 2);
  EXPECT_EQ(summary.byFrame[0].eager.totalNs, 7'000);
  EXPECT_EQ(summary.byFrame[0].compiled.count, 2);
  EXPECT_EQ(summary.byFrame[0].compiled.totalNs, 11'000);
}

TEST(KernelSummary, GroupsByNameOriginGraphAndOperatorMostTimeFirst) {
  const analyzer::Run run = runOf(kRows);
  const KernelSummary summary = summarizeKernels(run);
  ASSERT_EQ(summary.groups.size(), 5U);  // the two element-wise kernels are of two operators
  EXPECT_EQ(run.text(summary.groups[0].name), "triton_fused_add_mul_0");
  EXPECT_EQ(summary.groups[0].times.totalNs, 11'000);
  EXPECT_EQ(summary.groups[0].attempt, trace::AttemptId{1});
  EXPECT_EQ(run.text(summary.groups[1].op), "aten::mul");
}

TEST(KernelSummary, TellsTheSlowestOfAGroupAndAllItsDurations) {
  const analyzer::Run run = runOf(R"(
kernel at=10us..14us correlation=1 name="a" modelled_bytes=100
kernel at=20us..29us correlation=2 name="a"
kernel at=30us..31us correlation=3 name="b"
kernel at=40us..45us correlation=4 name="a" modelled_bytes=200 bytes_read=300 bytes_written=10
)");
  const KernelGroup group = summarizeKernels(run).groups.at(0);
  EXPECT_EQ(group.times.count, 3);
  EXPECT_EQ(group.times.maxNs, 9'000);
  EXPECT_EQ(group.slowestNs - run.startNs, 10'000);
  EXPECT_EQ(durationsOf(run, group), (std::vector<int64_t>{4'000, 9'000, 5'000}));
  EXPECT_EQ(group.modelled.count, 2);
  EXPECT_EQ(group.modelled.bytes, 300);
  EXPECT_DOUBLE_EQ(group.modelledRate(), 300 / 9e-6);
  EXPECT_DOUBLE_EQ(group.exactRate(), 310 / 5e-6);
  EXPECT_EQ(group.sampledRate(), 0);
}

TEST(KernelSummary, GroupsOutermostOperatorsByHowTheyRan) {
  const analyzer::Run run = runOf(R"(
frame  frame=0 name="step" file="step.cpp" line=5
call   frame=0 attempt=0 at=40us..90us thread=1 outcome=hit
region frame=0 attempt=0 segment=0 at=50us..80us thread=1
op     at=10us..20us thread=1 name="aten::mul"
op     at=12us..18us thread=1 depth=1 name="aten::mul"
op     at=60us..63us thread=1 name="aten::mul"
)");
  const std::vector<KernelGroup> groups = summarizeOperators(run);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_TRUE(groups[0].isOperator);
  EXPECT_EQ(groups[0].origin, trace::Origin::kEager);
  EXPECT_EQ(durationsOf(run, groups[0]), std::vector<int64_t>{10'000});
  EXPECT_EQ(groups[1].origin, trace::Origin::kCompiled);
  EXPECT_EQ(durationsOf(run, groups[1]), std::vector<int64_t>{3'000});
}

TEST(KernelSummary, StandsInTheReports) {
  const analyzer::Run run = runOf(kRows);
  const Analysis analysis = analyze(run);
  const nlohmann::ordered_json json = kernelsJson(run);
  EXPECT_EQ(json["by_origin"]["compiled"]["total_ns"], 11'000);
  EXPECT_EQ(json["by_frame"][0]["compiled"]["count"], 2);
  EXPECT_EQ(json["groups"][0]["compile_id"], "0/1");
  EXPECT_EQ(json["groups"][0]["sampled"], nullptr);
  EXPECT_EQ(json["groups"][0]["exact"], nullptr);
  const std::vector<Table> tables = kernelTables(run, analysis);
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].rows.size(), 4U);
  EXPECT_EQ(tables[1].rows[0][1], "eager");
  EXPECT_EQ(tables[1].rows[1][4], "1.0");
  EXPECT_EQ(tables[2].rows[0][2], "0/1");
  EXPECT_EQ(tables[2].rows[0].size(), tables[2].columns.size());
  EXPECT_TRUE(kernelTables(runOf("op at=1us..2us thread=1 name=\"a\""), analysis).empty());
}

TEST(KernelSummary, KeepsApartWhatTorchCompileTriesOut) {
  const analyzer::Run run = runOf(R"(
frame    frame=0 name="step" file="step.py" line=5
call     frame=0 attempt=0 at=10us..90us thread=1 outcome=compiled
compile  frame=0 attempt=0 at=11us..50us thread=1
artifact frame=0 attempt=0 kind="output_code" name="/cache/ab.py" content="def triton_a(): pass"
api      at=20us..21us thread=1 correlation=1 name="cuLaunchKernel"
region   frame=0 attempt=0 segment=0 at=60us..80us thread=1
api      at=70us..71us thread=1 correlation=2 name="cuLaunchKernel"
kernel   at=100us..104us correlation=1 name="triton_a"
kernel   at=110us..115us correlation=2 name="triton_a"
)");
  const KernelSummary summary = summarizeKernels(run);
  EXPECT_EQ(summary.trials.totalNs, 4'000);
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kCompiled).totalNs, 5'000);
  EXPECT_FALSE(summary.byOrigin.contains(trace::Origin::kEager));
  ASSERT_EQ(summary.groups.size(), 2U);
  EXPECT_EQ(run.text(summary.groups[0].code), "/cache/ab.py");
  EXPECT_EQ(run.text(summary.groups[1].code), "");
}

TEST(KernelSummary, TakesWhatTheBuiltInCompilerCapturesForTheUsersOwn) {
  const KernelSummary summary = summarizeKernels(runOf(R"(
frame   frame=0 name="step" file="step.cpp" line=5
call    frame=0 attempt=0 at=10us..90us thread=1 outcome=compiled
compile frame=0 attempt=0 at=11us..50us thread=1
api     at=20us..21us thread=1 correlation=1 name="cudaLaunchKernel"
kernel  at=100us..104us correlation=1 name="gemm"
)"));
  EXPECT_EQ(summary.trials.count, 0);
  EXPECT_EQ(summary.byOrigin.at(trace::Origin::kEager).count, 1);
}

/// Ten samples of 100 us, of which each moves its number of bytes.
constexpr std::string_view kSamples = R"(
counter at=0us..100us metric="dram_read_bytes" value=0
counter at=0us..100us metric="dram_write_bytes" value=0
counter at=100us..200us metric="dram_read_bytes" value=100
counter at=100us..200us metric="dram_write_bytes" value=10
counter at=200us..300us metric="dram_read_bytes" value=200
counter at=200us..300us metric="dram_write_bytes" value=20
counter at=300us..400us metric="dram_read_bytes" value=300
counter at=300us..400us metric="dram_write_bytes" value=30
counter at=400us..500us metric="dram_read_bytes" value=400
counter at=400us..500us metric="dram_write_bytes" value=40
counter at=500us..600us metric="dram_read_bytes" value=500
counter at=500us..600us metric="dram_write_bytes" value=50
counter at=600us..700us metric="dram_read_bytes" value=600
counter at=600us..700us metric="dram_write_bytes" value=60
counter at=900us..1000us metric="dram_read_bytes" value=900
counter at=900us..1000us metric="dram_write_bytes" value=90
counter at=900us..1000us metric="pcie_read_bytes" value=7777
)";

class Sampled : public testing::Test {
 protected:
  analyzer::Run run = runOf(kSamples);
  SampledTraffic traffic{run.processes[ProcessIndex{0}]};
};

TEST_F(Sampled, TrafficIsTheSumOfTheSamplesInside) {
  const auto bytes = traffic.over(0, 100'000, 600'000);
  ASSERT_TRUE(bytes);
  EXPECT_DOUBLE_EQ(bytes->read, 1500);
  EXPECT_DOUBLE_EQ(bytes->written, 150);
}

TEST_F(Sampled, TrafficTakesItsPartOfSamplesAtTheEdge) {
  const auto bytes = traffic.over(0, 150'000, 625'000);
  ASSERT_TRUE(bytes);
  EXPECT_DOUBLE_EQ(bytes->read, 50 + 200 + 300 + 400 + 500 + 150);
  EXPECT_DOUBLE_EQ(bytes->error, 50 + 450);
}

TEST_F(Sampled, TrafficOfFewSamplesIsNotTold) {
  EXPECT_FALSE(traffic.over(0, 210'000, 580'000));
  EXPECT_FALSE(traffic.over(0, 310'000, 320'000));
}

TEST_F(Sampled, TrafficWhereSamplesAreMissingIsNotTold) {
  EXPECT_FALSE(traffic.over(0, 300'000, 950'000));
  EXPECT_FALSE(traffic.over(0, 300'000, 2'000'000));
}

TEST_F(Sampled, TrafficOfAnotherDeviceIsNotTold) {
  EXPECT_FALSE(traffic.over(1, 100'000, 700'000));
}

TEST(SampledTraffic, StandsAtTheKernelsThatAreLongEnough) {
  const std::string rows = std::string(kSamples) + R"(
kernel at=100us..600us correlation=1 name="long"
kernel at=600us..650us correlation=2 name="short"
)";
  const KernelSummary summary = summarizeKernels(runOf(rows));
  ASSERT_EQ(summary.groups.size(), 2U);
  EXPECT_EQ(summary.groups[0].sampledCount, 1);
  EXPECT_DOUBLE_EQ(summary.groups[0].traffic.written, 150);
  EXPECT_EQ(summary.groups[1].sampledCount, 0);
}

}  // namespace
}  // namespace jitscope::analyzer
