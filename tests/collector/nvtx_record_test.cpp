// Recordings of which only the ranges of one name are kept, which the program marks with NVTX.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/collector/recording_test.h"
#include "trace/reader.h"
#include "trace/recorded_windows.h"

namespace jitscope::collector {
namespace {

using Words = std::vector<std::string>;

class NvtxRecord : public RecordingTest {
 protected:
#ifdef NVTX_PROGRAM
  static constexpr const char* kProgram = NVTX_PROGRAM;
#else
  static constexpr const char* kProgram = "";
#endif

  void SetUp() override {
    if (!*kProgram) GTEST_SKIP() << "NVTX's headers were not found when this was built";
  }

  /// Records the program with these steps, and only the ranges that are called "my step".
  trace::TraceFile recordSteps(Words steps, tests::RunOptions how = {}) {
    steps.insert(steps.begin(), kProgram);
    how.recordOptions = {"--nvtx-range", "my step"};
    run = tests::record(folder / "out.jitscope", steps, how);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output, "done\n");
    const auto recording = trace::Recording::open(folder / "out.jitscope");
    if (!recording || recording->files.size() != 1) {
      ADD_FAILURE() << run.errors;
      return trace::TraceFile(nullptr);
    }
    return recording->files[0];
  }

  size_t operatorsOf(const Words& steps) {
    return recordSteps(steps).rowCount(trace::TableId::kOp);
  }
};

TEST_F(NvtxRecord, HoldsWhatHappensInRangesOfTheName) {
  const trace::TraceFile file = recordSteps(
      {"rows", "10", "push", "other", "rows",    "20",   "push", "my step", "rows", "3", "pop",
       "rows", "40", "pop",  "push",  "my step", "rows", "4",    "pop",     "rows", "50"});
  EXPECT_EQ(file.rowCount(trace::TableId::kOp), 7u);
  const auto recorded = trace::recordedWindows(file);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->wish, "--nvtx-range my step");
  ASSERT_EQ(recorded->windows.size(), 2u);
  EXPECT_EQ(file.text(recorded->windows[0].reason), "NVTX range");
  EXPECT_EQ(file.text(recorded->windows[1].endReason), "NVTX range");
}

TEST_F(NvtxRecord, KnowsEveryWayToBeginARange) {
  for (const char* push : {"push", "push-wide", "push-ex"}) {
    EXPECT_EQ(operatorsOf({"rows", "10", push, "my step", "rows", "5", "pop", "rows", "20"}), 5u)
        << push;
  }
  for (const char* push : {"push-domain", "push-registered"}) {
    EXPECT_EQ(operatorsOf({"rows", "10", push, "my step", "rows", "5", "pop-domain", "rows", "20"}),
              5u)
        << push;
  }
  for (const char* start : {"start", "start-ex"}) {
    EXPECT_EQ(operatorsOf({"rows", "10", start, "my step", "rows", "5", "end", "rows", "20"}), 5u)
        << start;
  }
  EXPECT_EQ(operatorsOf(
                {"rows", "10", "start-domain", "my step", "rows", "5", "end-domain", "rows", "20"}),
            5u);
}

TEST_F(NvtxRecord, EndsWithTheOutermostRangeOfTheName) {
  EXPECT_EQ(operatorsOf({"push", "my step", "push", "my step", "rows", "5", "pop", "rows", "6",
                         "pop", "rows", "70"}),
            11u);
}

TEST_F(NvtxRecord, KeepsTheRangesOfDomainsApart) {
  EXPECT_EQ(operatorsOf({"push", "my step", "push-domain", "other", "rows", "5", "pop", "rows",
                         "60", "pop-domain"}),
            5u);
}

TEST_F(NvtxRecord, GoesOnWhileAnotherThreadIsInARangeOfTheName) {
  EXPECT_EQ(operatorsOf(
                {"push", "my step", "thread", "push", "my step", "rows", "5", "pop", "rows", "6"}),
            11u);
  EXPECT_EQ(operatorsOf({"thread", "start", "my step", "rows", "5", "thread", "end", "rows", "60"}),
            5u);
}

TEST_F(NvtxRecord, SaysThatAnotherLibraryIsInjectedAndLeavesItThere) {
  const trace::TraceFile file =
      recordSteps({"push", "my step", "rows", "5", "pop"},
                  {.environment = {{"NVTX_INJECTION64_PATH", "/opt/tool/libother.so"}}});
  EXPECT_EQ(file.rowCount(trace::TableId::kOp), 0u);
  EXPECT_NE(run.errors.find("NVTX_INJECTION64_PATH is set already (/opt/tool/libother.so)"),
            std::string::npos)
      << run.errors;
}

}  // namespace
}  // namespace jitscope::collector
