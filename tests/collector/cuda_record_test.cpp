// What a recording holds of a program that uses CUDA, whose driver and CUPTI are played.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/collector/recording_test.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

using trace::ApiRow;
using trace::KernelRow;
using trace::TableId;
using trace::TraceFile;
using Words = std::vector<std::string>;

class CudaRecord : public RecordingTest {
 protected:
  trace::Recording recordSteps(Words steps, std::map<std::string, std::string> environment = {}) {
    steps.insert(steps.begin(), CUDA_PROGRAM);
    environment["LD_LIBRARY_PATH"] = FAKE_CUPTI_FOLDER;
    run = tests::record(folder / "out.jitscope", steps, {.environment = std::move(environment)});
    auto recording = trace::Recording::open(folder / "out.jitscope");
    EXPECT_TRUE(recording) << recording.error().text << run.errors;
    return recording ? *recording : trace::Recording{};
  }

  static std::string lossOf(const TraceFile& file, std::string_view place) {
    for (const trace::LossRow& row : file.rows<trace::LossRow>()) {
      const bool isLoss = row.kind != trace::LossKind::kOverhead;
      if (isLoss && file.text(row.place) == place) return std::string(file.text(row.text));
    }
    return {};
  }
};

TEST_F(CudaRecord, HoldsKernelsWithTheCallsThatLaunchedThem) {
  const auto recording = recordSteps({"init", "launch", "1000"});
  EXPECT_EQ(run.output, "done\n");
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  EXPECT_TRUE(file.isComplete());
  const auto kernels = file.rows<KernelRow>();
  const auto calls = file.rows<ApiRow>();
  ASSERT_EQ(kernels.size(), 1000u);
  ASSERT_EQ(calls.size(), 1000u);
  EXPECT_EQ(file.text(kernels[1].name), "add(float*)");
  EXPECT_EQ(kernels[1].correlation, calls[1].correlation);
  EXPECT_EQ(calls[0].thread, file.rows<trace::ProcessRow>()[0].pid);
  EXPECT_EQ(lossOf(file, "GPU"), "");
}

TEST_F(CudaRecord, HoldsTheLastKernelsWhateverTheWayOut) {
  for (const Words& end : {Words{"return", "0"}, Words{"exit", "3"}, Words{"_exit", "4"}}) {
    Words steps = {"init", "launch", "500"};
    steps.insert(steps.end(), end.begin(), end.end());
    const auto recording = recordSteps(steps);
    ASSERT_EQ(recording.files.size(), 1u) << end[0];
    EXPECT_EQ(recording.files[0].rowCount(TableId::kKernel), 500u) << end[0];
    EXPECT_EQ(run.status, std::stoi(end[1]));
    std::filesystem::remove_all(folder / "out.jitscope");
  }
}

TEST_F(CudaRecord, OfAKilledProgramLacksTheLastMomentOnly) {
  const auto recording = recordSteps({"init", "launch", "500", "sleep", "2000", "kill"});
  ASSERT_EQ(recording.files.size(), 1u);
  EXPECT_EQ(recording.files[0].rowCount(TableId::kKernel), 500u);
  EXPECT_EQ(run.status, 128 + 9);
}

TEST_F(CudaRecord, OfAForkedChildDoesNotWaitForCuptisThreads) {
  const auto recording = recordSteps({"init", "launch", "100", "fork", "exit", "0"});
  size_t kernels = 0;
  for (const TraceFile& file : recording.files) kernels += file.rowCount(TableId::kKernel);
  EXPECT_EQ(kernels, 100u);
  EXPECT_EQ(run.status, 0);
}

TEST_F(CudaRecord, HoldsWhatLiesBetweenStartAndStopOfCudasProfilerWhereThatIsWaitedFor) {
  const Words steps{CUDA_PROGRAM,     "init",   "launch", "100",           "sleep",  "5",
                    "profiler-start", "launch", "50",     "profiler-stop", "launch", "70"};
  for (const bool isPaused : {true, false}) {
    const tests::RunOptions how{.environment = {{"LD_LIBRARY_PATH", FAKE_CUPTI_FOLDER}},
                                .recordOptions = isPaused ? Words{"--start-paused"} : Words{}};
    run = tests::record(folder / "out.jitscope", steps, how);
    EXPECT_EQ(run.status, 0);
    const auto recording = trace::Recording::open(folder / "out.jitscope");
    ASSERT_TRUE(recording) << recording.error().text << run.errors;
    EXPECT_EQ(recording->files[0].rowCount(TableId::kApi), isPaused ? 50u : 220u);
  }
}

TEST_F(CudaRecord, HoldsKernelsByTheirLaunchWhereOnlyAWindowIsRecorded) {
  const tests::RunOptions how{.environment = {{"LD_LIBRARY_PATH", FAKE_CUPTI_FOLDER}},
                              .recordOptions = {"--start-paused"}};
  run = tests::record(folder / "out.jitscope",
                      {CUDA_PROGRAM, "init", "launch-late", "30", "profiler-start", "launch-late",
                       "500", "launch", "100", "profiler-stop", "launch-late", "70"},
                      how);
  const auto recording = trace::Recording::open(folder / "out.jitscope");
  ASSERT_TRUE(recording) << recording.error().text << run.errors;
  EXPECT_EQ(recording->files[0].rowCount(TableId::kKernel), 600u);
  EXPECT_EQ(recording->files[0].rowCount(TableId::kApi), 600u);
}

TEST_F(CudaRecord, SaysWhyTrafficIsNotSampled) {
  const tests::RunOptions how{.environment = {{"LD_LIBRARY_PATH", FAKE_CUPTI_FOLDER}},
                              .recordOptions = {"--traffic", "sampled"}};
  run = tests::record(folder / "out.jitscope", {CUDA_PROGRAM, "init", "launch", "10"}, how);
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.errors.find("; incomplete: GPU: memory traffic is not sampled: "),
            std::string::npos)
      << run.errors;
  EXPECT_EQ(run.errors.find("no GPU"), std::string::npos) << run.errors;
  EXPECT_EQ(run.errors.find("no memory traffic"), std::string::npos) << run.errors;
}

TEST_F(CudaRecord, SaysWhichToolHasCupti) {
  const auto recording =
      recordSteps({"init", "launch", "1", "return", "0"}, {{"FAKE_CUPTI_OWNER", "Nsight Systems"}});
  ASSERT_EQ(recording.files.size(), 1u);
  EXPECT_EQ(
      lossOf(recording.files[0], "GPU"),
      "kernels are not recorded: CUPTI belongs to Nsight Systems, and only one tool at a time "
      "can have it");
  EXPECT_EQ(run.status, 0);
}

TEST_F(CudaRecord, SaysThatAnotherLibraryIsInjected) {
  recordSteps({"init", "return", "0"}, {{"CUDA_INJECTION64_PATH", "/opt/tool/libother.so"}});
  EXPECT_NE(run.errors.find("CUDA_INJECTION64_PATH is set already (/opt/tool/libother.so)"),
            std::string::npos)
      << run.errors;
}

TEST_F(CudaRecord, OfAProgramThatOnlyStartsCudaHasNoKernelsAndNoDevices) {
  const auto recording = recordSteps({"init", "return", "0"});
  ASSERT_EQ(recording.files.size(), 1u);
  EXPECT_EQ(recording.files[0].rowCount(TableId::kDevice), 0u);
  EXPECT_EQ(recording.files[0].rowCount(TableId::kKernel), 0u);
}

}  // namespace
}  // namespace jitscope::collector
