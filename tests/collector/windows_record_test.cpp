// Recordings of which only windows are kept, and flight recorders, as their users meet them.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "collector/windows/shared_switch.h"
#include "tests/collector/recording_test.h"
#include "tests/support/one_line.h"
#include "trace/reader.h"
#include "trace/recorded_windows.h"

namespace jitscope::collector {
namespace {

using trace::RecordedWindows;
using trace::Recording;
using trace::TableId;
using trace::TraceFile;
using Words = std::vector<std::string>;

class WindowsRecord : public RecordingTest {
 protected:
  /// Runs `jitscope record OPTIONS -- guest STEPS`.
  void recordGuest(const Words& options, Words steps, tests::RunOptions how = {}) {
    steps.insert(steps.begin(), GUEST_PROGRAM);
    how.recordOptions = options;
    run = tests::record(output, steps, how);
    EXPECT_TRUE(tests::isOneLine(run.errors, "jitscope: ")) << run.errors;
  }

  Recording open() {
    auto recording = Recording::open(output);
    EXPECT_TRUE(recording) << recording.error().text << run.errors;
    return recording ? *recording : Recording{};
  }

  /// How many operators each file holds, the fewest first.
  static std::vector<size_t> operatorCounts(const Recording& recording) {
    std::vector<size_t> counts;
    for (const TraceFile& file : recording.files) counts.push_back(file.rowCount(TableId::kOp));
    std::sort(counts.begin(), counts.end());
    return counts;
  }

  static RecordedWindows windowsOf(const TraceFile& file) {
    return trace::recordedWindows(file).value_or(RecordedWindows{});
  }

  std::string output = folder / "out.jitscope";
};

TEST_F(WindowsRecord, HoldWhatLiesBetweenStartAndStopOfTheProgram) {
  recordGuest({"--start-paused"}, {"rows", "100", "start", "rows", "50", "stop", "rows", "70",
                                   "start", "rows", "5", "exit", "3"});
  EXPECT_EQ(run.status, 3);
  EXPECT_NE(run.errors.find(", 2 windows of "), std::string::npos) << run.errors;
  const Recording recording = open();
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  EXPECT_EQ(file.rowCount(TableId::kOp), 55u);
  EXPECT_EQ(file.rowCount(TableId::kProcess), 1u);
  const RecordedWindows recorded = windowsOf(file);
  EXPECT_EQ(recorded.wish, "--start-paused");
  ASSERT_EQ(recorded.windows.size(), 2u);
  EXPECT_EQ(file.text(recorded.windows[0].endReason), "program");
  EXPECT_EQ(file.text(recorded.windows[1].endReason), "end of the recording");
}

TEST_F(WindowsRecord, LetAProgramStopAnyRecording) {
  recordGuest({}, {"rows", "20", "stop", "rows", "70"});
  EXPECT_EQ(operatorCounts(open()), std::vector<size_t>{20});
}

TEST_F(WindowsRecord, OfAProgramThatNeverStartsSaySo) {
  for (const Words& options : {Words{"--start-paused"}, Words{"--delay", "1h"},
                               Words{"--steps", "5.."}, Words{"--toggle-signal", "USR2"}}) {
    recordGuest(options, {"rows", "100", "print", "x"});
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.output, "x\n");
    EXPECT_NE(run.errors.find("no window was reached"), std::string::npos) << run.errors;
    const Recording recording = open();
    EXPECT_EQ(operatorCounts(recording), std::vector<size_t>{0});
    EXPECT_TRUE(recording.files[0].isComplete());
  }
}

TEST_F(WindowsRecord, OfAProgramWithTooFewStepsSayHowManyThereWere) {
  struct Case {
    Words options, steps;
    std::string text;
  };
  const std::vector<Case> cases{
      {{"--steps", "5.."},
       {"rows", "3"},
       "no window was reached (the program ended no step: an optimizer's step, a step of "
       "torch.profiler or jitscope_step() ends one)"},
      {{"--steps", "5.."}, {"rows", "3", "step"}, "reached (only 1 step was seen),"},
      {{"--steps", "5..6"}, {"step", "rows", "3", "step"}, "reached (only 2 steps were seen),"},
      {{"--steps", "5"},
       {"rows", "3", "step", "fork", "rows", "3", "step", "step"},
       "reached (only 3 steps were seen in any process),"},
      {{"--start-paused"}, {"step", "rows", "3"}, "no window was reached,"}};
  for (const Case& each : cases) {
    recordGuest(each.options, each.steps);
    EXPECT_NE(run.errors.find(each.text), std::string::npos) << run.errors;
  }
}

TEST_F(WindowsRecord, SayNothingOfTheStepsOfAKilledProgram) {
  recordGuest({"--steps", "5.."}, {"paced-rows", "50", "kill"});
  EXPECT_EQ(run.errors.find("step"), std::string::npos) << run.errors;
}

TEST_F(WindowsRecord, HoldTheStepsThatAreWanted) {
  recordGuest({"--steps=2..3"}, {"rows", "10", "step", "rows", "20", "step", "rows", "30", "step",
                                 "rows", "40", "step"});
  const Recording recording = open();
  EXPECT_EQ(operatorCounts(recording), std::vector<size_t>{50});
  const RecordedWindows recorded = windowsOf(recording.files[0]);
  ASSERT_EQ(recorded.windows.size(), 1u);
  EXPECT_EQ(recording.files[0].text(recorded.windows[0].reason), "step 2");
  EXPECT_EQ(recording.files[0].text(recorded.windows[0].endReason), "step 3");
}

TEST_F(WindowsRecord, LastFromTheStartWithADurationAlone) {
  recordGuest({"--duration", "1h"}, {"rows", "30"});
  const Recording recording = open();
  EXPECT_EQ(operatorCounts(recording), std::vector<size_t>{30});
  EXPECT_EQ(windowsOf(recording.files[0]).windows.size(), 1u);
}

TEST_F(WindowsRecord, BeginAndEndByASignalToTheLauncherThatTheProgramDoesNotSee) {
  int sent = 0;
  const tests::RunOptions how{.onOutput = [&](pid_t launcher, const std::string& text) {
    for (const char* each : {"ready\n", "on\n"}) {
      const int number = each[0] == 'r' ? 1 : 2;
      if (sent >= number || text.find(each) == text.npos) continue;
      kill(launcher, SIGUSR2);
      sent = number;
    }
  }};
  recordGuest({"--toggle-signal", "usr2"},
              {"replace-handlers", "rows", "10", "print", "ready", "await-recording", "1", "rows",
               "20", "print", "on", "await-recording", "0", "rows", "30", "exit", "4"},
              how);
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.output, "ready\non\n");
  const Recording recording = open();
  EXPECT_EQ(operatorCounts(recording), std::vector<size_t>{20});
  const RecordedWindows recorded = windowsOf(recording.files[0]);
  ASSERT_EQ(recorded.windows.size(), 1u);
  EXPECT_EQ(recording.files[0].text(recorded.windows[0].reason), "signal");
}

TEST_F(WindowsRecord, GoOnInAForkedChildAndBeginAnewInANewProgram) {
  recordGuest({"--start-paused"},
              {"start", "rows", "10", "fork", "rows", "20", "exec", "rows", "40", "exit", "2"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(operatorCounts(open()), (std::vector<size_t>{0, 10, 20}));
}

TEST_F(WindowsRecord, AreWholeWhateverTheProgramDoes) {
  for (const Words& end : {Words{"return", "0"}, Words{"_exit", "0"}, Words{"quick_exit", "0"},
                           Words{"handler-exit", "0"}, Words{"close-all", "exit", "0"}}) {
    Words steps{"rows", "10", "start", "rows", "50", "stop", "rows", "7"};
    steps.insert(steps.end(), end.begin(), end.end());
    recordGuest({"--start-paused"}, steps);
    EXPECT_EQ(run.status, 0) << end[0];
    const Recording recording = open();
    EXPECT_EQ(operatorCounts(recording), std::vector<size_t>{50}) << end[0];
    EXPECT_TRUE(recording.files[0].isComplete()) << end[0];
  }
}

TEST_F(WindowsRecord, OfAKilledProgramTellWhereTheLastOneBegan) {
  recordGuest({"--start-paused"}, {"start", "paced-rows", "5000", "kill"});
  EXPECT_EQ(run.status, 128 + SIGKILL);
  const Recording recording = open();
  const RecordedWindows recorded = windowsOf(recording.files[0]);
  ASSERT_EQ(recorded.windows.size(), 1u);
  EXPECT_EQ(recorded.windows[0].endNs, 0);
  EXPECT_GT(recording.files[0].rowCount(TableId::kOp), 0u);
}

class FlightRecord : public WindowsRecord {
 protected:
  void SetUp() override { output = folder / "flight"; }
};

TEST_F(FlightRecord, LeavesNothingWhenNothingTriggers) {
  recordGuest({"--flight-recorder", "30s", "--trigger", "recompile,limit,slow-call=50ms",
               "--flight-memory", "50MB"},
              {"rows", "1000", "call", "20", "print", "x", "exit", "5"});
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.output, "x\n");
  EXPECT_NE(run.errors.find("no trigger came"), std::string::npos) << run.errors;
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(FlightRecord, WritesWhatIsAroundATrigger) {
  for (const Words& trigger :
       {Words{"recompile"}, Words{"call", "60"}, Words{"trigger", "queue is long"}}) {
    Words steps{"rows", "1000"};
    steps.insert(steps.end(), trigger.begin(), trigger.end());
    steps.insert(steps.end(), {"rows", "100", "exit", "6"});
    recordGuest({"--flight-recorder=30s,1h", "--trigger=recompile,slow-call=50ms"}, steps);
    EXPECT_EQ(run.status, 6);
    EXPECT_NE(run.errors.find("wrote 1 window into "), std::string::npos) << run.errors;
    const Recording recording = open();
    EXPECT_EQ(operatorCounts(recording), std::vector<size_t>{1100});
    ASSERT_EQ(recording.files.size(), 1u);
    const TraceFile& file = recording.files[0];
    EXPECT_TRUE(file.isComplete());
    EXPECT_EQ(file.rowCount(TableId::kProcess), 1u);
    const RecordedWindows recorded = windowsOf(file);
    ASSERT_EQ(recorded.windows.size(), 1u);
    const std::string reason(file.text(recorded.windows[0].reason));
    EXPECT_EQ(reason, trigger[0] == "call" ? "slow-call" : trigger.back());
  }
}

TEST_F(FlightRecord, WritesTheLastTimeWhenTheLauncherGetsTheSignal) {
  bool isSent = false;
  const tests::RunOptions how{.onOutput = [&](pid_t launcher, const std::string& text) {
    if (isSent || text.find("ready\n") == text.npos) return;
    isSent = true;
    kill(launcher, SIGUSR1);
    const SharedSwitch* shared = SharedSwitch::open(SharedSwitch::pathIn(output).c_str());
    for (int round = 0; shared && shared->flips() == 0 && round < 1000; ++round) {
      poll(nullptr, 0, 10);
    }
    std::ofstream(folder / "go") << "go";
  }};
  recordGuest({"--flight-recorder", "30s", "--trigger", "signal=USR1"},
              {"rows", "500", "print", "ready", "await-file", folder / "go", "exit", "7"}, how);
  EXPECT_EQ(run.status, 7);
  const Recording recording = open();
  ASSERT_EQ(recording.files.size(), 1u);
  EXPECT_EQ(recording.files[0].rowCount(TableId::kOp), 500u);
  EXPECT_EQ(recording.files[0].text(windowsOf(recording.files[0]).windows.at(0).reason), "signal");
}

TEST_F(FlightRecord, KeepsARecorderOfItsOwnForEachProcess) {
  recordGuest({"--flight-recorder", "30s,1h", "--trigger", "recompile"},
              {"rows", "300", "recompile", "fork", "rows", "200", "recompile", "exec", "rows", "90",
               "close-all", "recompile", "rows", "10", "exit", "0"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(operatorCounts(open()), (std::vector<size_t>{100, 200, 300}));
}

TEST_F(FlightRecord, RunsTheProgramUnharmedWhenTheDiskIsFull) {
  const tests::RunOptions how{.beforeExec = [] {
    const rlimit limit{.rlim_cur = 2048, .rlim_max = 2048};
    setrlimit(RLIMIT_FSIZE, &limit);
  }};
  recordGuest({"--flight-recorder", "30s", "--trigger", "recompile"},
              {"rows", "30000", "recompile", "print", "x", "exit", "6"}, how);
  EXPECT_EQ(run.status, 6);
  EXPECT_EQ(run.output, "x\n");
}

}  // namespace
}  // namespace jitscope::collector
