// Calls of torch.compile's callables, put together from the ranges that LibTorch's recorder tells.
#include "collector/torch/compiled_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jitscope::collector {
namespace {

using trace::AttemptId;
using trace::CallOutcome;
using trace::CallRow;
using trace::FrameId;
using trace::RegionRow;
using Kind = CompiledRange::Kind;

class Rows final : public trace::EventSink {
 public:
  trace::StringId intern(std::string_view) noexcept override { return trace::StringId{1}; }
  void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
    if (table == trace::TableId::kCall) calls.push_back(rowOf<CallRow>(cells));
    if (table == trace::TableId::kRegion) regions.push_back(rowOf<RegionRow>(cells));
  }

  std::vector<CallRow> calls;
  std::vector<RegionRow> regions;

 private:
  template <class Row>
  static Row rowOf(std::span<const int64_t> cells) {
    Row row;
    size_t next = 0;
    Row::columns([&](const char*, auto member) {
      row.*member = trace::fromCell<std::remove_cvref_t<decltype(row.*member)>>(cells[next++]);
    });
    return row;
  }
};

constexpr int64_t kThread = 7;

// Each test uses Dynamo's frame numbers of its own: what is told of entries outlives a test.
class CompiledCallsOf : public testing::Test {
 protected:
  void runCode(int64_t frame, int64_t attempt, int64_t startNs, int64_t endNs) {
    const CompiledRange code{Kind::kCode, frame, AttemptId{attempt}};
    const CompiledCalls::Begun begun = calls.codeBegun(code, startNs);
    isKnown = calls.codeEnded(code, begun, endNs, kThread, rows);
  }

  CompiledCalls calls;
  Rows rows;
  bool isKnown = false;
};

TEST(CompiledRange, IsReadFromTheNamesOfDynamo) {
  EXPECT_EQ(compiledRangeOf("TorchDynamo Cache Lookup")->kind, Kind::kLookup);
  EXPECT_EQ(compiledRangeOf("CompiledFunction")->kind, Kind::kForward);
  EXPECT_EQ(compiledRangeOf("CompiledFunctionBackward")->kind, Kind::kBackward);
  for (const char* name : {"Torch-Compiled Region: 12/3", "Torch-Compiled Region: !1/12/3"}) {
    const auto code = compiledRangeOf(name);
    ASSERT_TRUE(code) << name;
    EXPECT_EQ(code->kind, Kind::kCode);
    EXPECT_EQ(code->frame, 12);
    EXPECT_EQ(code->attempt, AttemptId{3});
  }
  for (const char* name : {"", "T", "C", "aten::add", "TorchDynamo", "Torch-Compiled Region: ",
                           "CompiledFunctio", "Torch-Compiled Region: Unknown",
                           "Torch-Compiled Region: 1/", "Torch-Compiled Region: !"}) {
    EXPECT_FALSE(compiledRangeOf(name)) << name;
  }
}

TEST_F(CompiledCallsOf, AnEntryAreTheOneThatCompiledItThenHits) {
  expectEntry(100, AttemptId{1}, FrameId{5});
  for (const int64_t time : {1000, 2000}) {
    calls.lookedUp(time, time + 10, kThread, rows);
    runCode(100, 1, time + 20, time + 50);
  }
  ASSERT_EQ(rows.calls.size(), 2u);
  EXPECT_EQ(rows.calls[0].outcome, CallOutcome::kCompiled);
  EXPECT_EQ(rows.calls[1].outcome, CallOutcome::kHit);
  EXPECT_EQ(rows.calls[1].frame, FrameId{5});
  EXPECT_EQ(rows.calls[1].attempt, AttemptId{1});
  EXPECT_EQ(rows.calls[1].startNs, 2000);  // with the lookup
  EXPECT_EQ(rows.calls[1].endNs, 2050);
  EXPECT_EQ(rows.calls[1].guardNs, 10);
}

TEST_F(CompiledCallsOf, AnEntryThatNobodyToldOfAreLeftToTheOperators) {
  runCode(101, 0, 10, 20);
  EXPECT_FALSE(isKnown);
  EXPECT_TRUE(rows.calls.empty());
}

TEST_F(CompiledCallsOf, NestedFramesAreCallsOfTheirOwn) {
  expectEntry(102, AttemptId{0}, FrameId{6});
  expectEntry(103, AttemptId{0}, FrameId{7});
  const CompiledRange outer{Kind::kCode, 102, AttemptId{0}};
  calls.lookedUp(0, 1, kThread, rows);
  const CompiledCalls::Begun begun = calls.codeBegun(outer, 2);
  calls.lookedUp(10, 11, kThread, rows);
  runCode(103, 0, 12, 20);
  calls.codeEnded(outer, begun, 30, kThread, rows);
  ASSERT_EQ(rows.calls.size(), 2u);
  EXPECT_EQ(rows.calls[0].frame, FrameId{7});
  EXPECT_EQ(rows.calls[1].frame, FrameId{6});
  EXPECT_EQ(rows.calls[1].startNs, 0);
}

TEST_F(CompiledCallsOf, GradientsAreFoundBySequenceAndThread) {
  expectEntry(104, AttemptId{2}, FrameId{8});
  const CompiledRange code{Kind::kCode, 104, AttemptId{2}};
  const CompiledCalls::Begun begun = calls.codeBegun(code, 0);
  calls.forwardBegun(77, kThread);
  calls.codeEnded(code, begun, 9, kThread, rows);
  trace::OpRow backward{.startNs = 20, .endNs = 30, .thread = 9, .sequence = 77};
  backward.forwardThread = kThread + 1;
  writeBackwardRegion(backward, rows);
  EXPECT_TRUE(rows.regions.empty());
  backward.forwardThread = kThread;
  writeBackwardRegion(backward, rows);
  ASSERT_EQ(rows.regions.size(), 1u);
  EXPECT_EQ(rows.regions[0].frame, FrameId{8});
  EXPECT_EQ(rows.regions[0].attempt, AttemptId{2});
  EXPECT_EQ(rows.regions[0].thread, 9);
}

// Last: the frame stays at its limit.
TEST_F(CompiledCallsOf, LimitedFramesAreEagerWhereNoCodeFollowsALookup) {
  calls.lookedUp(10, 12, kThread, rows);
  calls.operatorBegun(kThread, rows);
  EXPECT_TRUE(rows.calls.empty());  // no frame is at its limit

  limitFrame(FrameId{9});
  calls.lookedUp(20, 22, kThread, rows);
  calls.operatorBegun(kThread, rows);
  calls.operatorBegun(kThread, rows);
  calls.lookedUp(30, 32, kThread, rows);
  calls.lookedUp(40, 42, kThread, rows);
  calls.isCompiling = true;
  calls.operatorBegun(kThread, rows);  // of the compilation
  calls.forgetLookup();
  ASSERT_EQ(rows.calls.size(), 2u);
  for (const CallRow& row : rows.calls) {
    EXPECT_EQ(row.outcome, CallOutcome::kLimit);
    EXPECT_EQ(row.frame, FrameId{9});
  }
  EXPECT_EQ(rows.calls[0].startNs, 22);  // how long it ran is not known
  EXPECT_EQ(rows.calls[0].endNs, 22);
  EXPECT_EQ(rows.calls[0].guardNs, 2);
  EXPECT_EQ(rows.calls[1].startNs, 32);
}

}  // namespace
}  // namespace jitscope::collector
