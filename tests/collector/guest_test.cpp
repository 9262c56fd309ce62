// What a recording holds of programs that fork, exec, close what is not theirs, and die.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/collector/recording_test.h"
#include "trace/process_counters.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

using trace::OpRow;
using trace::ProcessRow;
using trace::Recording;
using trace::TableId;
using trace::TraceFile;

class Guest : public RecordingTest {
 protected:
  // Records the guest program with these steps and opens what came of it.
  Recording recordSteps(std::vector<std::string> steps) {
    steps.insert(steps.begin(), GUEST_PROGRAM);
    return recordProgram(steps);
  }

  static std::vector<size_t> operatorCounts(const Recording& recording) {
    std::vector<size_t> counts;
    for (const TraceFile& file : recording.files) counts.push_back(file.rowCount(TableId::kOp));
    std::sort(counts.begin(), counts.end());
    return counts;
  }

  static void expectComplete(const Recording& recording) {
    for (const TraceFile& file : recording.files) {
      EXPECT_TRUE(file.isComplete()) << file.path();
      EXPECT_TRUE(file.losses().empty()) << file.path();
      EXPECT_EQ(file.rowCount(TableId::kProcess), 1u) << file.path();
    }
  }

  // Each operator has the name that the program gave it.
  static void expectRightNames(const TraceFile& file) {
    for (const OpRow& row : file.rows<OpRow>()) {
      ASSERT_EQ(file.text(row.name), "guest::op" + std::to_string(row.sequence % 7));
    }
  }
};

TEST_F(Guest, IsOneFileWhenOneProcessRan) {
  const Recording recording = recordSteps({"rows", "1000"});
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "out.jitscope"));
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{1000}));
  expectComplete(recording);
  expectRightNames(recording.files[0]);
  const ProcessRow process = recording.files[0].rows<ProcessRow>()[0];
  EXPECT_EQ(recording.files[0].text(process.commandLine), GUEST_PROGRAM " rows 1000");
  EXPECT_EQ(recording.files[0].text(process.executable), GUEST_PROGRAM);
}

TEST_F(Guest, KeepsEveryRowOnEveryOrderlyWayOut) {
  for (const char* way : {"return", "exit", "_exit", "quick_exit", "handler-exit"}) {
    const Recording recording = recordSteps({"rows", "5000", way, "0"});
    EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{5000})) << way;
    expectComplete(recording);
  }
}

TEST_F(Guest, IsRecordedEvenWhenItHasNothingToTell) {
  for (const char* way : {"return", "exit", "_exit", "quick_exit"}) {
    expectComplete(recordSteps({way, "0"}));
  }
}

TEST_F(Guest, GivesAForkedChildAFileOfItsOwnWithTheRightNames) {
  const Recording recording = recordSteps({"rows", "300", "fork", "rows", "200", "exit", "0"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{200, 300}));
  expectComplete(recording);
  for (const TraceFile& file : recording.files) expectRightNames(file);
  const auto first = recording.files[0].rows<ProcessRow>()[0];
  const auto second = recording.files[1].rows<ProcessRow>()[0];
  EXPECT_TRUE(first.pid == second.parentPid || second.pid == first.parentPid);
}

TEST_F(Guest, LooksForLeaksInItsChildrenAndFindsNone) {
  run = tests::record(folder / "out.jitscope",
                      {CHECKED_GUEST_PROGRAM, "fork-often", "12", "exit", "0"});
  EXPECT_EQ(run.status, 0);
  // It also remarks that a forked child lacks its parent's threads, which is no leak.
  EXPECT_EQ(run.errors.find("ERROR"), std::string::npos) << run.errors;
}

TEST_F(Guest, FollowsForksOfForks) {
  const Recording recording = recordSteps({"rows", "10", "fork", "rows", "20", "fork", "rows", "30",
                                           "fork", "rows", "40", "_exit", "0"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{10, 20, 30, 40}));
  expectComplete(recording);
}

TEST_F(Guest, FollowsAForkThatTheCLibraryDoesNotKnowOf) {
  const Recording recording = recordSteps({"rows", "10", "raw-fork", "rows", "20", "_exit", "0"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{10, 20}));
  expectComplete(recording);
}

TEST_F(Guest, EndsWithItsLastThread) {
  const Recording recording = recordSteps({"rows", "100", "end-threads"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{110}));
  expectComplete(recording);
}

TEST_F(Guest, EndsTheFileOfTheOldProgramBeforeANewOneTakesOver) {
  const Recording recording = recordSteps({"rows", "300", "exec", "rows", "200"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{200, 300}));
  expectComplete(recording);
}

TEST_F(Guest, LeavesNothingOfAProgramThatOnlyBecameAnother) {
  const Recording recording = recordSteps({"exec", "exec", "rows", "200"});
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "out.jitscope"));
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{200}));
}

TEST_F(Guest, GoesOnRecordingWhenAnExecFails) {
  const Recording recording = recordSteps({"rows", "300", "failing-exec", "rows", "200"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{200, 300}));
  expectComplete(recording);
  for (const TraceFile& file : recording.files) expectRightNames(file);
}

TEST_F(Guest, IsNotDisturbedByAChildThatSharesItsMemory) {
  const Recording recording = recordSteps({"rows", "300", "vfork-exec", "rows", "200"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{0, 500}));
  expectComplete(recording);
}

TEST_F(Guest, LosesNothingWhenItClosesAllDescriptors) {
  const Recording recording = recordSteps({"rows", "300", "close-all", "rows", "200"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{500}));
  expectComplete(recording);
}

TEST_F(Guest, LosesNothingWhenItReplacesAllHandlers) {
  const Recording recording = recordSteps({"replace-handlers", "rows", "300", "exit", "0"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{300}));
}

TEST_F(Guest, KnowsItsThreads) {
  const Recording recording = recordSteps({"thread-rows", "5000"});
  EXPECT_EQ(operatorCounts(recording), (std::vector<size_t>{10'000}));
  const TraceFile& file = recording.files[0];
  expectRightNames(file);
  std::map<int64_t, int64_t> rowsByThread;
  for (const OpRow& row : file.rows<OpRow>()) ++rowsByThread[row.thread];
  ASSERT_EQ(rowsByThread.size(), 2u);
  for (const auto& [thread, count] : rowsByThread) EXPECT_EQ(count, 5000);
  const auto threads = file.rows<trace::ThreadRow>();
  ASSERT_EQ(threads.size(), 2u);
  for (const trace::ThreadRow& thread : threads) EXPECT_TRUE(rowsByThread.count(thread.thread));
}

/// A counter of the process itself in milliseconds; -1 when there is none.
double counterMs(const TraceFile& file, std::string_view metric) {
  for (const trace::CounterRow& row : file.rows<trace::CounterRow>()) {
    if (row.device == trace::kNoDevice && file.text(row.metric) == metric) return row.value / 1e6;
  }
  return -1;
}

/// Kernels without scheduler statistics say that nothing was ever given a processor.
bool kernelTellsOfWaiting() {
  std::ifstream file("/proc/thread-self/schedstat");
  int64_t runningNs = 0, waitingNs = 0, turns = 0;
  return file >> runningNs >> waitingNs >> turns && turns > 0;
}

TEST_F(Guest, IsToldForHowLongItsThreadsWaitedForAProcessor) {
  if (!kernelTellsOfWaiting()) GTEST_SKIP() << "no scheduler statistics in /proc";
  const Recording recording = recordSteps({"rows", "1", "share-processor", "60"});
  ASSERT_EQ(recording.files.size(), 1u);
  // While the first of the two has its 60 ms, the other one waits.
  EXPECT_GE(counterMs(recording.files[0], trace::kRunningMetric), 115);
  EXPECT_GE(counterMs(recording.files[0], trace::kWaitingMetric), 50);
}

TEST_F(Guest, HasNoPartInWhatTheProgramBeforeItWaited) {
  if (!kernelTellsOfWaiting()) GTEST_SKIP() << "no scheduler statistics in /proc";
  const Recording recording =
      recordSteps({"rows", "1", "share-processor", "60", "exec", "rows", "2"});
  ASSERT_EQ(recording.files.size(), 2u);
  for (const TraceFile& file : recording.files) {
    const double runningMs = counterMs(file, trace::kRunningMetric);
    if (file.rowCount(TableId::kOp) == 1) {
      EXPECT_GE(runningMs, 115);
    } else {
      EXPECT_GE(runningMs, 0);
      EXPECT_LT(runningMs, 60);
    }
  }
}

TEST_F(Guest, CanBeOpenedAfterAnAbort) {
  const Recording recording = recordSteps({"rows", "100", "abort"});
  EXPECT_EQ(run.status, 128 + SIGABRT);
  EXPECT_EQ(recording.files.size(), 1u);
}

int64_t lastWriteNs(const std::filesystem::path& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

class KilledGuest : public Guest, public testing::WithParamInterface<int> {};

TEST_P(KilledGuest, LosesAtMostAQuarterOfASecond) {
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  const long count = std::uniform_int_distribution<long>(2, 8000)(random);
  const Recording recording = recordSteps({"paced-rows", std::to_string(count), "kill"});
  EXPECT_EQ(run.status, 128 + SIGKILL);
  ASSERT_EQ(recording.files.size(), 1u);
  // It prints when it wrote its last row, and dies at once.
  const int64_t diedNs = std::atoll(run.output.c_str());
  constexpr int64_t kAllowedNs = 250'000'000;
  const auto rows = recording.files[0].rows<OpRow>();
  // Killed before its first rows were due, it leaves a file with a header alone.
  const int64_t lastNs =
      rows.empty() ? lastWriteNs(recording.files[0].path()) : rows.back().startNs;
  EXPECT_LE(diedNs - lastNs, kAllowedNs) << rows.size() << " of " << count << " rows";
  for (size_t index = 0; index < rows.size(); ++index) {
    ASSERT_EQ(rows[index].sequence, static_cast<int64_t>(index));
  }
  expectRightNames(recording.files[0]);
}

INSTANTIATE_TEST_SUITE_P(AtRandomTimes, KilledGuest, testing::Range(1, 9));

}  // namespace
}  // namespace jitscope::collector
