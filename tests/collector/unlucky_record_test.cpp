// `jitscope record` where things go wrong around it: its terminal, its output, its neighbours.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/one_line.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

using tests::isOneLine;
using tests::ProgramRun;
using tests::record;
using tests::RunOptions;
using tests::runProgram;
using tests::TemporaryFolder;
using trace::Recording;
using trace::TableId;
using Words = std::vector<std::string>;

// Waits until `holds`, for at most ten seconds.
bool becomesTrue(const std::function<bool()>& holds) {
  for (int round = 0; round < 1000; ++round) {
    if (holds()) return true;
    poll(nullptr, 0, 10);
  }
  return false;
}

struct Stream {
  const char* name;
  void (*ruin)();
};

class EveryStandardError : public testing::TestWithParam<Stream> {};

TEST_P(EveryStandardError, LeavesProgramAndStatusAsTheyAre) {
  const TemporaryFolder folder;
  const ProgramRun run =
      record(folder / "out.jitscope",
             {GUEST_PROGRAM, "rows", "9", "print", "x", "replace-handlers", "exit", "7"},
             {.beforeExec = GetParam().ruin});
  EXPECT_EQ(run.status, 7);
  EXPECT_EQ(run.output, "x\n");
  EXPECT_TRUE(Recording::open(folder / "out.jitscope"));
}

INSTANTIATE_TEST_SUITE_P(Unlucky, EveryStandardError,
                         testing::Values(Stream{"Closed", [] { close(STDERR_FILENO); }},
                                         Stream{"ReadByNobody",
                                                [] {
                                                  int ends[2];
                                                  if (pipe(ends) != 0) _exit(99);
                                                  dup2(ends[1], STDERR_FILENO);
                                                  close(ends[0]);
                                                }},
                                         Stream{"ClosedWithAllOthers",
                                                [] {
                                                  for (int number : {0, 2}) close(number);
                                                }}),
                         [](const auto& info) { return info.param.name; });

TEST(UnluckyRecord, WarnsIntoABrokenPipeAndRunsTheProgramAllTheSame) {
  const TemporaryFolder folder;
  const RunOptions options{.beforeExec = [] {
    int ends[2];
    if (pipe(ends) != 0) _exit(99);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
  }};
  const ProgramRun run = record(folder / "absent/out", {GUEST_PROGRAM, "exit", "7"}, options);
  EXPECT_EQ(run.status, 7);
}

TEST(UnluckyRecord, NamesAFileOfAnyNameInOneLine) {
  const TemporaryFolder folder;
  const std::string program = folder / "two\nlines\xff";
  std::filesystem::copy_file(GUEST_PROGRAM, program);
  const ProgramRun run =
      runProgram({JITSCOPE_PROGRAM, "record", program, "rows", "9"}, {.folder = folder.path()});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(isOneLine(run.errors, "jitscope: ")) << run.errors;
  EXPECT_NE(run.errors.find("/jitscope-two_lines_-2"), std::string::npos) << run.errors;
  EXPECT_TRUE(isOneLine(record(folder / "o\nut", {GUEST_PROGRAM}).errors, "jitscope: "));
}

TEST(UnluckyRecord, RefusesAnEmptyOutput) {
  for (const Words& words : {Words{"-o", "", "true"}, Words{"--output=", "true"}}) {
    Words command = {JITSCOPE_PROGRAM, "record"};
    command.insert(command.end(), words.begin(), words.end());
    const ProgramRun run = runProgram(command);
    EXPECT_EQ(run.status, 2);
    const std::string option = words[0].substr(0, words[0].find('='));
    EXPECT_EQ(run.errors, "jitscope: record: " + option + " needs a path\n");
  }
}

TEST(UnluckyRecord, SaysThatNothingWasRecordedWhenTheOutputWasRemovedMeanwhile) {
  const TemporaryFolder folder;
  const std::string output = folder / "out.jitscope";
  const RunOptions options{
      .onOutput = [&](pid_t, const std::string&) { std::filesystem::remove_all(output); }};
  const ProgramRun run =
      record(output, {GUEST_PROGRAM, "rows", "9", "print", "x", "paced-rows", "5000", "exit", "7"},
             options);
  EXPECT_EQ(run.status, 7);
  EXPECT_TRUE(isOneLine(run.errors, "jitscope: ")) << run.errors;
  EXPECT_NE(run.errors.find("nothing was recorded: " + output), std::string::npos) << run.errors;
}

TEST(UnluckyRecord, DoesNotTakeThePlaceOfARecordingThatIsBeingMade) {
  const TemporaryFolder folder;
  const std::string output = folder / "out.jitscope";
  ProgramRun second;
  const RunOptions options{.onOutput = [&](pid_t launcher, const std::string& text) {
    if (text != "ready\n") return;
    second = record(output, {GUEST_PROGRAM, "rows", "5", "exit", "6"});
    kill(launcher, SIGUSR1);
  }};
  const ProgramRun first =
      record(output, {GUEST_PROGRAM, "rows", "9", "pause", "rows", "3"}, options);
  EXPECT_EQ(second.status, 6);
  EXPECT_NE(second.errors.find("is still being recorded"), std::string::npos) << second.errors;
  EXPECT_EQ(first.status, 0);
  const auto recording = Recording::open(output);
  ASSERT_TRUE(recording) << recording.error().text;
  EXPECT_EQ(recording->files[0].rowCount(TableId::kOp), 12u);
}

TEST(UnluckyRecord, KeepsThePlaceOfAProcessThatTheProgramLeavesBehind) {
  const TemporaryFolder folder;
  const std::string output = folder / "out.jitscope";
  const ProgramRun run =
      record(output, {GUEST_PROGRAM, "rows", "9", "leave-behind", folder / "go", "rows", "50"});
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(isOneLine(run.errors, "jitscope: ")) << run.errors;
  EXPECT_NE(run.errors.find("1 process still runs"), std::string::npos) << run.errors;
  std::ofstream(folder / "go").flush();
  EXPECT_TRUE(becomesTrue([&] {
    const auto recording = Recording::open(output);
    return recording && recording->files.size() == 2 && recording->files[0].isComplete() &&
           recording->files[1].isComplete();
  }));
}

struct UnusualSignal {
  const char* name;
  int signal;
};

class EveryUnusualSignal : public testing::TestWithParam<UnusualSignal> {};

TEST_P(EveryUnusualSignal, ReachesTheProgramWhenSentToTheLauncher) {
  const TemporaryFolder folder;
  const RunOptions options{.onOutput = [](pid_t launcher, const std::string& output) {
    if (output == "ready\n") kill(launcher, GetParam().signal);
  }};
  const ProgramRun run =
      record(folder / "out.jitscope", {GUEST_PROGRAM, "pause", "exit", "3"}, options);
  EXPECT_EQ(run.output, "ready\nsignal " + std::to_string(GetParam().signal) + "\n");
  EXPECT_EQ(run.status, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Unlucky, EveryUnusualSignal,
    testing::Values(UnusualSignal{"Alarm", SIGALRM}, UnusualSignal{"Profiler", SIGPROF},
                    UnusualSignal{"VirtualAlarm", SIGVTALRM}, UnusualSignal{"InputOutput", SIGIO},
                    UnusualSignal{"Power", SIGPWR}, UnusualSignal{"Urgent", SIGURG}),
    [](const auto& info) { return info.param.name; });

bool isStopped(pid_t pid) {
  siginfo_t state{};
  return waitid(P_PID, static_cast<id_t>(pid), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
         state.si_pid == pid;
}

TEST(UnluckyRecord, StopsWithAProgramThatStopsItselfWhenAShellWaitsForIt) {
  const TemporaryFolder folder;
  bool wasStopped = false;
  // A shell that knows jobs gives each a group.
  const RunOptions options{.beforeExec = [] { setpgid(0, 0); },
                           .onOutput =
                               [&](pid_t launcher, const std::string& output) {
                                 if (output.empty() || wasStopped) return;
                                 wasStopped = becomesTrue([&] { return isStopped(launcher); });
                                 kill(-launcher, SIGCONT);
                               }};
  const ProgramRun run = record(folder / "out.jitscope",
                                {"sh", "-c", "echo stopping; kill -STOP $$; exit 3"}, options);
  EXPECT_TRUE(wasStopped);
  EXPECT_EQ(run.status, 3);
}

TEST(UnluckyRecord, WaitsForAStoppedProgramWhenNobodyKnowsOfJobs) {
  const TemporaryFolder folder;
  bool isSent = false;
  const RunOptions options{.onOutput = [&](pid_t launcher, const std::string& output) {
    if (isSent || !output.ends_with('\n')) return;
    isSent = true;
    const pid_t program = std::atoi(output.c_str());
    // Stopped as soon as it says so; the launcher, which could only be woken by name, runs on.
    EXPECT_TRUE(becomesTrue([&] {
      std::string state;
      std::ifstream status("/proc/" + std::to_string(program) + "/stat");
      std::getline(status, state);
      return state.find(") T ") != state.npos;
    }));
    poll(nullptr, 0, 200);
    EXPECT_FALSE(isStopped(launcher));
    kill(program, SIGCONT);
  }};
  const ProgramRun run =
      record(folder / "out.jitscope", {"sh", "-c", "echo $$; kill -STOP $$; exit 3"}, options);
  EXPECT_EQ(run.status, 3);
}

}  // namespace
}  // namespace jitscope::collector
