// What is left of a Python program when only a part of it is recorded; the program is as it is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "trace/reader.h"
#include "trace/recorded_windows.h"

namespace jitscope {
namespace {

class TorchWindows : public testing::Test {
 protected:
  /// Records a script with these options; the recording has one file.
  trace::TraceFile record(const std::vector<std::string>& options, const std::string& script) {
    const std::vector<std::string> command{LIBTORCH_PYTHON, "-W", "ignore",
                                           std::string(SCRIPTS) + '/' + script};
    const tests::ProgramRun run =
        tests::record(folder / "out", command, {.patienceSeconds = 500, .recordOptions = options});
    EXPECT_EQ(run.status, 0) << run.errors;
    const auto recording = trace::Recording::open(folder / "out");
    if (!recording || recording->files.size() != 1) {
      ADD_FAILURE() << run.errors;
      return trace::TraceFile(nullptr);
    }
    return recording->files[0];
  }

  static int64_t countOf(const trace::TraceFile& file, const std::string& name) {
    int64_t count = 0;
    for (const trace::OpRow& row : file.rows<trace::OpRow>()) {
      count += file.text(row.name) == name ? 1 : 0;
    }
    return count;
  }

  tests::TemporaryFolder folder;
};

TEST_F(TorchWindows, HoldTheStepsOfAnOptimizerThatAreWanted) {
  const trace::TraceFile file = record({"--steps", "5..7"}, "steps.py");
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(countOf(file, "Optimizer.step#SGD.step"), 3);
  EXPECT_EQ(countOf(file, "aten::linear"), 3);
  const auto recorded = trace::recordedWindows(file);
  ASSERT_TRUE(recorded);
  ASSERT_EQ(recorded->windows.size(), 1u);
  EXPECT_EQ(file.text(recorded->windows[0].reason), "step 5");
  EXPECT_EQ(file.text(recorded->windows[0].endReason), "step 7");
}

TEST_F(TorchWindows, OfAFlightRecorderShowTheRecompileWithItsCause) {
  const trace::TraceFile file =
      record({"--flight-recorder", "10m,1h", "--trigger", "recompile"}, "service.py");
  ASSERT_FALSE(HasFailure());
  const auto recorded = trace::recordedWindows(file);
  ASSERT_TRUE(recorded);
  ASSERT_EQ(recorded->windows.size(), 1u);
  EXPECT_EQ(file.text(recorded->windows[0].reason), "recompile");
  EXPECT_EQ(file.rows<trace::CompileRow>().size(), 2u);
  EXPECT_EQ(file.rows<trace::GuardFailureRow>().size(), 1u);
  EXPECT_EQ(file.rows<trace::CallRow>().size(), 60u);
}

}  // namespace
}  // namespace jitscope
