#include "analyzer/import/join_processes.h"

#include <gtest/gtest.h>

#include "analyzer/run.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kLog = R"(
process pid=10 rank=0 host_name="node" command_line="python3 a.py"
frame   frame=0 name="step" file="/a.py" line=3
compile frame=0 attempt=0 at=1000us..1500us thread=1 trigger="first call"
)";
constexpr std::string_view kProfile = R"(
process pid=10 cuda_version="13.0"
region  frame=0 attempt=0 segment=0 at=2000us..2100us thread=1
op      at=2010us..2020us thread=1 name="aten::mm"
api     at=2012us..2013us thread=1 correlation=1 name="cudaLaunchKernel"
kernel  at=2030us..2040us correlation=1 name="gemm"
)";

TEST(JoinedProcesses, AreALogAndAProfileOfOneProcess) {
  const analyzer::Run run = runOf({kLog, kProfile});
  ASSERT_EQ(run.processes.size(), 1U);
  const Process& process = run.processes[ProcessIndex{0}];
  EXPECT_EQ(process.row.rank, 0);
  EXPECT_EQ(run.text(process.row.hostName), "node");
  EXPECT_EQ(run.text(process.row.cudaVersion), "13.0");
  ASSERT_EQ(run.frames.size(), 1U);
  EXPECT_EQ(run.text(run.frames[FrameIndex{0}].name), "step");
  ASSERT_EQ(run.regions.size(), 1U);
  EXPECT_EQ(run.regions[RegionIndex{0}].frameIndex, FrameIndex{0});
  EXPECT_EQ(process.originOf(KernelIndex{0}), trace::Origin::kCompiled);
  EXPECT_EQ(run.compiles.size(), 1U);
  EXPECT_EQ(run.inputs.size(), 2U);
}

struct ApartCase {
  std::string name;
  std::string other;  ///< the rows of the second input
};

class ProcessesApart : public testing::TestWithParam<ApartCase> {};

TEST_P(ProcessesApart, StayTwo) { EXPECT_EQ(runOf({kLog, GetParam().other}).processes.size(), 2U); }

INSTANTIATE_TEST_SUITE_P(
    Reasons, ProcessesApart,
    testing::Values(
        ApartCase{"OtherProcess", "process pid=11\nop at=2010us..2020us thread=1 name=\"a\"\n"},
        ApartCase{"OtherRank", "process pid=10 rank=1\nop at=2010us..2020us thread=1 name=\"a\"\n"},
        ApartCase{"OtherHost",
                  "process pid=10 host_name=\"x\"\nop at=2010us..2020us thread=1 name=\"a\"\n"},
        ApartCase{"OtherProgram",
                  "process pid=10 command_line=\"cc1\"\nop at=2010us..2020us thread=1 "
                  "name=\"a\"\n"},
        ApartCase{"OtherDay", "process pid=10\nop at=90000s..90001s thread=1 name=\"a\"\n"},
        ApartCase{"SameEvents",
                  "process pid=10\ncompile frame=1 attempt=0 at=1000us..1500us thread=1\n"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace jitscope::analyzer
