#include "analyzer/run.h"

#include <gtest/gtest.h>

#include "analyzer/frame_summary.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

using trace::OpRow;
using trace::Origin;

/// The operator of that name in the first process.
OpIndex opNamed(const Run& run, std::string_view name) {
  const OpTable& ops = run.processes[ProcessIndex{0}].ops;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (run.text(ops.get<&OpRow::name>(i)) == name) return static_cast<OpIndex>(i);
  }
  return OpIndex::kNone;
}

TEST(Run, OperatorsBelongToTheInnermostCallAndRegion) {
  const analyzer::Run run = runOf(R"(
call   frame=0 attempt=0 at=10us..100us thread=1 outcome=hit
region frame=0 attempt=0 segment=0 at=20us..40us thread=1
call   frame=1 attempt=0 at=60us..80us thread=1 outcome=hit
op at=5us..6us thread=1 name="outside"
op at=12us..13us thread=1 name="in call"
op at=20us..30us thread=1 name="in region"
op at=65us..66us thread=1 name="in inner call"
op at=90us..91us thread=1 name="after inner call"
op at=25us..26us thread=2 name="other thread"
)");
  const Process& process = run.processes[ProcessIndex{0}];
  const auto pieceOf = [&](std::string_view name) { return process.pieceOf(opNamed(run, name)); };
  EXPECT_EQ(pieceOf("outside").call, CallIndex::kNone);
  EXPECT_EQ(pieceOf("in call").call, CallIndex{0});
  EXPECT_EQ(pieceOf("in call").origin, Origin::kEager);
  EXPECT_EQ(pieceOf("in region").region, RegionIndex{0});
  EXPECT_EQ(pieceOf("in region").origin, Origin::kCompiled);
  EXPECT_EQ(pieceOf("in inner call").call, CallIndex{1});
  EXPECT_EQ(pieceOf("after inner call").call, CallIndex{0});
  EXPECT_EQ(pieceOf("other thread").call, CallIndex::kNone);
  EXPECT_EQ(run.calls[CallIndex{1}].parent, CallIndex{0});
}

TEST(Run, ForkedProcessesGoOnWithTheFramesOfTheirForebears) {
  const analyzer::Run run = runOf({
      R"(
process pid=10 parent_pid=1 start_ns=1ms command_line="python3 serve.py"
frame frame=0 name="step" file="serve.py" line=3
)",
      R"(
process pid=11 parent_pid=10 start_ns=2ms command_line="python3 serve.py"
)",
      R"(
process pid=12 parent_pid=11 start_ns=3ms command_line="python3 serve.py"
call frame=0 attempt=0 at=10ms..11ms thread=12 outcome=hit
)",
      R"(
process pid=13 parent_pid=10 start_ns=3ms command_line="python3 spawned.py"
call frame=0 attempt=0 at=10ms..11ms thread=13 outcome=hit
)",
  });
  ASSERT_EQ(run.calls.size(), 2U);
  for (const Call& call : run.calls) {
    const bool isForked = call.thread == 12;
    EXPECT_EQ(run.text(run.frames[call.frameIndex].name), isForked ? "step" : "");
  }
}

TEST(Run, CallsCountOutermostOperatorsOfThemselvesAndOfInnerCalls) {
  const analyzer::Run run = runOf(R"(
call   frame=0 attempt=0 at=10us..100us thread=1 outcome=hit
region frame=0 attempt=0 segment=0 at=20us..40us thread=1
call   frame=1 attempt=0 at=60us..80us thread=1 outcome=hit
# Recorded when they end: children stand before their parents.
op at=21us..22us thread=1 depth=1 name="aten::mm"
op at=20us..30us thread=1 name="aten::matmul"
op at=65us..66us thread=1 name="aten::relu"
)");
  const Call& outer = run.calls[CallIndex{0}];
  EXPECT_EQ(outer.opCount, 2);
  EXPECT_EQ(outer.opNs, 11'000);
  EXPECT_EQ(outer.compiledOpCount, 1);
  EXPECT_EQ(outer.regionNs, 20'000);
  EXPECT_EQ(run.calls[CallIndex{1}].opCount, 1);
}

TEST(Run, LanesHoldEachThreadInTimeOrder) {
  const analyzer::Run run = runOf(R"(
thread thread=7 name="worker"
op at=21us..22us thread=7 depth=1 name="child"
op at=20us..30us thread=7 name="parent"
op at=1us..2us thread=9 name="early"
call frame=0 attempt=0 at=10us..100us thread=7 outcome=hit
graph_break frame=0 attempt=0 at=50us..51us thread=7
compile frame=0 attempt=0 at=40us..41us thread=7
)");
  ASSERT_EQ(run.lanes.size(), 2U);
  EXPECT_EQ(run.lanes[0].thread, 9) << "lanes by first event";
  const Lane& lane = run.lanes[1];
  EXPECT_EQ(run.text(lane.name), "worker");
  EXPECT_EQ(lane.ops, (std::vector{opNamed(run, "parent"), opNamed(run, "child")}));
  EXPECT_EQ(lane.opDepth, 2);
  EXPECT_EQ(lane.calls.size(), 1U);
  EXPECT_EQ(lane.breaks.size(), 1U);
  EXPECT_EQ(lane.compiles.size(), 1U);
  EXPECT_EQ(run.startNs, 1'000);
  EXPECT_EQ(run.endNs, 100'000);
}

TEST(Run, TheSameFrameOfSeveralProcessesIsOne) {
  const analyzer::Run run = runOf(std::vector<std::string_view>{
      R"(frame frame=0 name="step" file="a.cpp" line=5
         call frame=0 attempt=0 at=10us..20us thread=1 outcome=hit)",
      R"(frame frame=0 name="step" file="a.cpp" line=5
         frame frame=1 name="other" file="a.cpp" line=9
         call frame=0 attempt=0 at=5us..8us thread=1 outcome=hit)"});
  ASSERT_EQ(run.frames.size(), 2U);
  const std::vector<FrameSummary> frames = summarizeFrames(run);
  EXPECT_EQ(frames[0].callCount, 2);
  ASSERT_EQ(run.calls.size(), 2U);
  EXPECT_EQ(run.calls[CallIndex{0}].process, ProcessIndex{1}) << "calls by time over processes";
  EXPECT_EQ(run.entries.size(), 2U) << "entries belong to their process";
  EXPECT_EQ(run.findEntry(FrameIndex{0}, ProcessIndex{1}, trace::AttemptId{0}), EntryIndex{1});
  EXPECT_EQ(run.findEntry(FrameIndex{1}, ProcessIndex{1}, trace::AttemptId{0}), EntryIndex::kNone);
}

TEST(Run, FramesThatNoRowDescribesAreKept) {
  const analyzer::Run run = runOf("call frame=3 attempt=0 at=10us..20us thread=1 outcome=hit");
  ASSERT_EQ(run.frames.size(), 1U);
  EXPECT_FALSE(run.frames[FrameIndex{0}].isKnown);
  EXPECT_EQ(run.frames[FrameIndex{0}].id, trace::FrameId{3});
}

TEST(Run, LaterPassesOfABreakTakeItsTexts) {
  const analyzer::Run run = runOf(R"(
graph_break frame=0 attempt=0 after=1 at=1us..2us is_first=1 reason="why" op="aten::item" stack="a.cpp:1 f"
graph_break frame=0 attempt=0 after=1 at=3us..4us
graph_break frame=0 attempt=0 after=2 at=5us..6us
)");
  EXPECT_EQ(run.text(run.breaks[BreakIndex{1}].reason), "why");
  EXPECT_EQ(run.text(run.breaks[BreakIndex{1}].stack), "a.cpp:1 f");
  EXPECT_EQ(run.text(run.breaks[BreakIndex{2}].reason), "") << "another segment, another break";
}

TEST(Run, RowsWithImpossibleTimesAreLeftOutAndCounted) {
  const analyzer::Run run = runOf(R"(
call frame=0 attempt=0 at=20us..10us thread=1 outcome=hit
op at=-5..10us thread=1 name="a"
op at=1us..2us thread=1 name="b"
)");
  EXPECT_TRUE(run.calls.empty());
  EXPECT_EQ(run.opCount(), 2U);
  ASSERT_EQ(run.lanes.size(), 1U);
  EXPECT_EQ(run.lanes[0].ops.size(), 1U);
  EXPECT_EQ(run.lostCount(), 2);
}

TEST(Run, LossesOfTheRecorderAreAddedUpAndOverheadIsNoLoss) {
  const analyzer::Run run = runOf(R"(
loss kind=dropped place="ring" text="full" amount=3
loss kind=dropped place="ring" text="full" amount=4
loss kind=overhead place="writer" amount=5us
)");
  ASSERT_EQ(run.losses.size(), 2U);
  EXPECT_EQ(run.losses[0].amount, 7);
  EXPECT_EQ(run.lostCount(), 7);
}

TEST(Run, AnEmptyRecordingLoads) {
  const analyzer::Run run = runOf("");
  EXPECT_EQ(run.processes.size(), 1U);
  EXPECT_EQ(run.startNs, run.endNs);
  EXPECT_TRUE(run.lanes.empty());
}

TEST(Run, WhatIsNotThereIsAnErrorThatNamesThePath) {
  const tests::TemporaryFolder folder;
  const trace::Result<analyzer::Run> absent = loadRun(folder / "absent.jitscope");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().text.find((folder / "absent.jitscope").string() + ": "), 0U);
  EXPECT_FALSE(loadRun(folder.path())) << "a folder without traces";
}

TEST(FrameSummary, ComparesEagerWithCompiledByMedians) {
  const analyzer::Run run = runOf(kServiceRows);
  const std::vector<FrameSummary> frames = summarizeFrames(run);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].callCount, 10);
  EXPECT_EQ(frames[0].eager.count, 3) << "two forced, one by the limit";
  EXPECT_EQ(frames[0].eager.medianNs, 120'000);
  EXPECT_EQ(frames[0].compiled.count, 3);
  EXPECT_EQ(frames[0].compiled.medianNs, 60'000);
  ASSERT_TRUE(frames[0].speedup());
  EXPECT_DOUBLE_EQ(*frames[0].speedup(), 2);
  EXPECT_EQ(frames[0].compileCount, 4);
  EXPECT_EQ(frames[0].recompileCount, 3);
  EXPECT_EQ(frames[0].breakCount, 1);
  EXPECT_EQ(frames[0].breakNs, 50'000);
  EXPECT_EQ(frames[0].limitCount, 1);
}

TEST(FrameSummary, NestedEagerCallsOfACompilingCallSayNothingAboutEagerSpeed) {
  const analyzer::Run run = runOf(R"(
call frame=0 attempt=0 at=10us..100us thread=1 outcome=compiled
call frame=1 at=20us..30us thread=1 outcome=eager
)");
  EXPECT_EQ(summarizeFrames(run)[1].eager.count, 0);
}

}  // namespace
}  // namespace jitscope::analyzer
