#include "analyzer/load/kernel_launches.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kLaunches = R"(
call   frame=0 attempt=0 at=10us..100us thread=1 outcome=hit
region frame=0 attempt=0 segment=0 at=20us..40us thread=1
op  at=21us..23us thread=1 depth=1 name="aten::mm"
op  at=20us..30us thread=1 name="aten::matmul"
api at=22us..23us thread=1 correlation=5 name="cudaLaunchKernel"
api at=25us..26us thread=1 correlation=6 name="cudaLaunchKernel"
api at=50us..51us thread=1 correlation=7 name="cudaLaunchKernel"
kernel at=200us..210us correlation=5 name="gemm"
kernel at=210us..220us correlation=6 name="copy"
kernel at=220us..230us correlation=7 name="eager"
kernel at=230us..240us correlation=8 name="lost launch"
kernel at=240us..250us correlation=7 name="told" origin=replay
)";

TEST(KernelLaunches, JoinTheInnermostOperatorThroughTheApiCall) {
  const analyzer::Run run = runOf(kLaunches);
  const Process& process = run.processes[ProcessIndex{0}];
  const auto opOf = [&](size_t kernel) {
    const OpIndex op = process.kernelOps[kernel];
    return exists(op) ? run.text(process.ops.get<&trace::OpRow::name>(position(op))) : "none";
  };
  ASSERT_EQ(process.kernels.size(), 5U);
  EXPECT_EQ(opOf(0), "aten::mm");
  EXPECT_EQ(opOf(1), "aten::matmul");
  EXPECT_EQ(opOf(2), "none");
  EXPECT_EQ(opOf(3), "none");
}

TEST(KernelLaunches, TakeTheOriginOfTheirPieceUnlessTold) {
  const analyzer::Run run = runOf(kLaunches);
  const Process& process = run.processes[ProcessIndex{0}];
  EXPECT_EQ(process.originOf(KernelIndex{0}), trace::Origin::kCompiled);
  EXPECT_EQ(process.originOf(KernelIndex{2}), trace::Origin::kEager);
  EXPECT_EQ(process.originOf(KernelIndex{3}), trace::Origin::kUnknown);
  EXPECT_EQ(process.originOf(KernelIndex{4}), trace::Origin::kReplay);
}

TEST(KernelLaunches, JoinTheOperatorItselfWhereNoCallIsRecorded) {
  const analyzer::Run run = runOf(R"(
op  at=20us..30us thread=1 correlation=-9 name="aten::mm"
op  at=40us..50us thread=1 correlation=-10 name="aten::add"
api at=45us..46us thread=1 correlation=6 name="cudaLaunchKernel"
kernel at=200us..210us correlation=-9 name="gemm"
kernel at=210us..220us correlation=6 name="add"
kernel at=220us..230us correlation=-11 name="of no operator"
)");
  const Process& process = run.processes[ProcessIndex{0}];
  EXPECT_EQ(process.kernelOps, (std::vector{OpIndex{0}, OpIndex{1}, OpIndex::kNone}));
  EXPECT_EQ(process.originOf(KernelIndex{0}), trace::Origin::kEager);
  EXPECT_EQ(process.originOf(KernelIndex{2}), trace::Origin::kUnknown);
}

TEST(KernelLaunches, OfAReplayHaveTheCapturedOperatorAndTheRegionThatReplays) {
  const analyzer::Run run = runOf(R"(
op  at=10us..20us thread=2 name="aten::mm"
graph_node node=77 time_ns=15us thread=2
region frame=0 attempt=0 segment=0 at=100us..120us thread=1 origin=replay
op  at=100us..120us thread=1 name="replay"
api at=105us..106us thread=1 correlation=6 name="cudaGraphLaunch"
kernel at=200us..210us correlation=6 graph_node=77 origin=replay name="gemm"
kernel at=210us..220us correlation=6 graph_node=78 origin=replay name="of a node that is not known"
kernel at=220us..230us correlation=9 graph_node=77 origin=replay name="of a launch that is lost"
)");
  const Process& process = run.processes[ProcessIndex{0}];
  EXPECT_EQ(process.kernelOps, (std::vector{OpIndex{0}, OpIndex{1}, OpIndex{0}}));
  ASSERT_TRUE(exists(process.kernelPieces[0]));
  EXPECT_TRUE(exists(process.pieces[process.kernelPieces[0]].region));
  EXPECT_FALSE(exists(process.kernelPieces[2]));
}

}  // namespace
}  // namespace jitscope::analyzer
