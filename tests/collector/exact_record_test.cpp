// Recording with `--traffic exact`: the program runs twice, with a driver and a CUPTI that are
// played.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/collector/recording_test.h"
#include "tests/collector/shared_trace.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

using trace::KernelRow;
using trace::TraceFile;
using Words = std::vector<std::string>;

class ExactRecord : public RecordingTest {
 protected:
  trace::Recording recordSteps(Words steps, std::map<std::string, std::string> environment = {},
                               const std::string& traffic = "exact") {
    steps.insert(steps.begin(), CUDA_PROGRAM);
    environment["LD_LIBRARY_PATH"] = FAKE_CUPTI_FOLDER;
    run = tests::record(
        folder / "out.jitscope", steps,
        {.environment = std::move(environment), .recordOptions = {"--traffic", traffic}});
    EXPECT_FALSE(std::filesystem::exists(folder / "out.jitscope.exact"));
    auto recording = trace::Recording::open(folder / "out.jitscope");
    EXPECT_TRUE(recording) << recording.error().text << run.errors;
    return recording ? *recording : trace::Recording{};
  }

  static Words bytesOf(const TraceFile& file) {
    Words bytes;
    for (const KernelRow& row : file.rows<KernelRow>())
      bytes.push_back(std::to_string(row.bytesRead) + '+' + std::to_string(row.bytesWritten));
    return bytes;
  }

  bool wasSaid(const std::string& text) const { return run.errors.find(text) != std::string::npos; }
};

TEST_F(ExactRecord, GivesEachKernelTheBytesOfTheSecondRun) {
  const auto recording = recordSteps({"init", "launch", "3", "return", "5"});
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  EXPECT_TRUE(file.isComplete());
  EXPECT_TRUE(file.losses().empty());
  EXPECT_EQ(bytesOf(file), (Words{"2000+1", "1000+2", "2000+3"}));
  EXPECT_EQ(file.rowCount(trace::TableId::kApi), 3u);
  EXPECT_EQ(file.rowCount(trace::TableId::kProcess), 1u);
  EXPECT_TRUE(tests::lossTexts(file).empty());
  EXPECT_EQ(run.status, 5);
  EXPECT_TRUE(wasSaid(", exact bytes of 3 kernels; nothing lost")) << run.errors;
}

TEST_F(ExactRecord, ShowsNothingOfTheSecondRun) {
  recordSteps({"init", "launch", "3"});
  EXPECT_EQ(run.output, "done\n");
  EXPECT_EQ(run.status, 0);
}

TEST_F(ExactRecord, TellsKernelsThatTheSecondRunHadNot) {
  const auto recording =
      recordSteps({"init", "launch-once", "2", "launch", "3", "launch-again", "1"});
  const TraceFile& file = recording.files.at(0);
  EXPECT_EQ(bytesOf(file), (Words{"-1+-1", "-1+-1", "2000+1", "1000+2", "2000+3"}));
  const std::string text =
      "no exact bytes of 2 of 5 kernels: 2 not launched when the program ran again";
  EXPECT_EQ(tests::lossTexts(file), (Words{text}));
  EXPECT_TRUE(wasSaid(text)) << run.errors;
}

TEST_F(ExactRecord, TellsKernelsOfGraphs) {
  const auto recording = recordSteps({"init", "launch", "1", "launch-graph", "2", "launch", "1"});
  const TraceFile& file = recording.files.at(0);
  EXPECT_EQ(bytesOf(file), (Words{"2000+1", "-1+-1", "-1+-1", "2000+2"}));
  EXPECT_EQ(tests::lossTexts(file), (Words{"no exact bytes of 2 of 4 kernels: 2 in CUDA graphs"}));
}

TEST_F(ExactRecord, TellsWhyCountingIsRefused) {
  const auto recording = recordSteps({"init", "launch", "3", "return", "4"},
                                     {{"FAKE_CUPTI_FAILS", "cuptiRangeProfilerEnable"}});
  const TraceFile& file = recording.files.at(0);
  EXPECT_EQ(bytesOf(file), (Words{"-1+-1", "-1+-1", "-1+-1"}));
  EXPECT_EQ(
      tests::lossTexts(file),
      (Words{"no exact bytes of kernels: only the administrator may read the GPU's counters; load "
             "the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as root"}));
  EXPECT_EQ(run.status, 4);
}

TEST_F(ExactRecord, TellsWhyTheSecondRunEndedEarly) {
  const auto recording = recordSteps({"init", "launch", "1", "kill-again", "launch", "1"});
  const TraceFile& file = recording.files.at(0);
  EXPECT_EQ(bytesOf(file)[1], "-1+-1");
  EXPECT_TRUE(wasSaid("signal 15 ended the program when it ran again")) << run.errors;
  EXPECT_EQ(run.output, "done\n");
  EXPECT_EQ(run.status, 0);
}

TEST_F(ExactRecord, DoesNotRunAProgramAgainThatASignalEnded) {
  recordSteps({"init", "launch", "500", "sleep", "500", "kill"});
  EXPECT_FALSE(wasSaid("running the program again")) << run.errors;
  EXPECT_EQ(run.status, 128 + 9);
}

TEST_F(ExactRecord, DoesNotRunAProgramAgainThatHadNoKernels) {
  recordSteps({"return", "3"});
  EXPECT_TRUE(wasSaid("no kernels were recorded, so the program is not run again")) << run.errors;
  EXPECT_EQ(run.status, 3);
}

TEST_F(ExactRecord, IsDoneBesideSampling) {
  const auto recording = recordSteps({"init", "launch", "2"}, {}, "sampled,exact");
  EXPECT_EQ(bytesOf(recording.files.at(0)), (Words{"2000+1", "1000+2"}));
}

TEST_F(ExactRecord, KeepsTheProcessesApart) {
  const auto recording = recordSteps({"init", "launch", "1", "fork", "return", "0"});
  size_t counted = 0;
  for (const TraceFile& file : recording.files) {
    for (const KernelRow& row : file.rows<KernelRow>()) counted += row.bytesRead >= 0 ? 1 : 0;
  }
  EXPECT_EQ(counted, 1u);
}

}  // namespace
}  // namespace jitscope::collector
