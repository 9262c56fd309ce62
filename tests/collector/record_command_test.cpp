// `jitscope record` as its user meets it: the program behaves as if nobody watched.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
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

struct Way {
  const char* name;
  Words steps;
};

class EveryWayOut : public testing::TestWithParam<Way> {};

TEST_P(EveryWayOut, LooksTheSameWithAndWithoutRecording) {
  const TemporaryFolder folder;
  Words command = {GUEST_PROGRAM};
  command.insert(command.end(), GetParam().steps.begin(), GetParam().steps.end());
  const RunOptions options{.input = "some\ninput\n"};
  const ProgramRun plain = runProgram(command, options);
  const ProgramRun recorded = record(folder / "out.jitscope", command, options);

  EXPECT_EQ(recorded.status, plain.status);
  EXPECT_EQ(recorded.output, plain.output);
  EXPECT_TRUE(isOneLine(recorded.errors, "jitscope: ")) << recorded.errors;
  EXPECT_TRUE(Recording::open(folder / "out.jitscope"));
}

INSTANTIATE_TEST_SUITE_P(
    Record, EveryWayOut,
    testing::Values(Way{"Returns", {"print", "hello", "rows", "10", "return", "0"}},
                    Way{"ReturnsSeven", {"cat", "return", "7"}},
                    Way{"Exits", {"rows", "10", "exit", "3"}},
                    Way{"ExitsAtOnce", {"rows", "10", "_exit", "4"}},
                    Way{"ExitsAtOnceWithoutRows", {"_exit", "4"}},
                    Way{"QuickExits", {"rows", "10", "quick_exit", "5"}},
                    Way{"ExitsInAHandler", {"rows", "10", "handler-exit", "6"}},
                    Way{"Aborts", {"rows", "10", "abort"}}, Way{"IsKilled", {"rows", "10", "kill"}},
                    Way{"ClosesAll", {"rows", "9", "close-all", "rows", "9", "print", "x"}},
                    Way{"Forks", {"rows", "9", "fork", "print", "child", "exit", "9"}},
                    Way{"ChangesFolder", {"cwd", "/", "rows", "9", "print", "x"}},
                    Way{"BecomesAnother", {"rows", "9", "exec", "print", "new", "exit", "8"}}),
    [](const auto& info) { return info.param.name; });

TEST(Record, PassesOnBinaryInputOfAnySize) {
  const TemporaryFolder folder;
  std::string input;
  for (int index = 0; index < 300'000; ++index) input += static_cast<char>(index * 7 + index / 256);
  const ProgramRun run = record(folder / "out.jitscope", {GUEST_PROGRAM, "cat"}, {.input = input});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, input);
}

TEST(Record, GivesTheStatusesOfAShellForWhatCannotRun) {
  const TemporaryFolder folder;
  EXPECT_EQ(record(folder / "out.jitscope", {"no-such-program-anywhere"}).status, 127);
  EXPECT_EQ(record(folder / "out.jitscope", {"/no/such/program"}).status, 127);
  std::ofstream(folder / "text") << "no program";
  EXPECT_EQ(record(folder / "out.jitscope", {folder / "text"}).status, 126);
  EXPECT_FALSE(std::filesystem::exists(folder / "out.jitscope"));
}

TEST(Record, RunsScriptsByTheirFirstLineAndWithoutOne) {
  const TemporaryFolder folder;
  for (const char* first : {"#!/bin/sh\n", "#!/usr/bin/env sh\n", ""}) {
    const std::string script = folder / "script";
    std::ofstream(script) << first << "echo $1; exit 6\n";
    chmod(script.c_str(), 0755);
    const ProgramRun run = record(folder / "out.jitscope", {script, "word"});
    EXPECT_EQ(run.status, 6) << first;
    EXPECT_EQ(run.output, "word\n") << first;
    EXPECT_TRUE(isOneLine(run.errors, "jitscope: ")) << run.errors;
  }
}

TEST(Record, SaysThatAStaticProgramCannotBePreloadedAndRunsIt) {
  const TemporaryFolder folder;
  const ProgramRun run = record(folder / "out.jitscope", {STATIC_PROGRAM});
  EXPECT_EQ(run.status, 5);
  EXPECT_EQ(run.output, "static\n");
  EXPECT_NE(run.errors.find("is linked statically"), std::string::npos) << run.errors;
  const auto recording = Recording::open(folder / "out.jitscope");
  ASSERT_TRUE(recording) << recording.error().text;
  EXPECT_EQ(recording->files[0].rowCount(TableId::kProcess), 1u);
}

struct Sent {
  const char* name;
  int signal;
};

class EverySignal : public testing::TestWithParam<Sent> {};

TEST_P(EverySignal, ReachesTheProgramWhenSentToTheLauncher) {
  const TemporaryFolder folder;
  bool isSent = false;
  const RunOptions options{.onOutput = [&](pid_t launcher, const std::string& output) {
    if (isSent || output.find("ready\n") == output.npos) return;
    isSent = true;
    kill(launcher, GetParam().signal);
  }};
  const ProgramRun run =
      record(folder / "out.jitscope", {GUEST_PROGRAM, "pause", "exit", "3"}, options);
  EXPECT_EQ(run.output, "ready\nsignal " + std::to_string(GetParam().signal) + "\n");
  EXPECT_EQ(run.status, 3);
  EXPECT_TRUE(isOneLine(run.errors, "jitscope: ")) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(Record, EverySignal,
                         testing::Values(Sent{"Interrupt", SIGINT}, Sent{"Terminate", SIGTERM},
                                         Sent{"HangUp", SIGHUP}, Sent{"Quit", SIGQUIT},
                                         Sent{"User1", SIGUSR1}, Sent{"User2", SIGUSR2},
                                         Sent{"WindowChange", SIGWINCH}),
                         [](const auto& info) { return info.param.name; });

TEST(Record, RunsTheProgramUnharmedWhenTheOutputCannotBeWritten) {
  const TemporaryFolder folder;
  const ProgramRun run = record(folder / "absent/out.jitscope",
                                {GUEST_PROGRAM, "rows", "9", "print", "x", "exit", "4"});
  EXPECT_EQ(run.status, 4);
  EXPECT_EQ(run.output, "x\n");
  EXPECT_NE(run.errors.find("nothing was recorded: " + (folder / "absent/out.jitscope").string()),
            std::string::npos)
      << run.errors;
}

TEST(Record, ReplacesARecordingAndNothingElse) {
  const TemporaryFolder folder;
  const std::string output = folder / "out";
  EXPECT_EQ(record(output, {GUEST_PROGRAM, "fork"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_directory(output));
  EXPECT_EQ(record(output, {GUEST_PROGRAM}).status, 0);
  EXPECT_TRUE(std::filesystem::is_regular_file(output));

  std::ofstream(folder / "precious") << "my thesis";
  const ProgramRun run = record(folder / "precious", {GUEST_PROGRAM, "exit", "2"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.errors.find("is no recording"), std::string::npos) << run.errors;
  std::string kept;
  std::getline(std::ifstream(folder / "precious") >> std::ws, kept);
  EXPECT_EQ(kept, "my thesis");
}

TEST(Record, NamesTheOutputByProgramAndDate) {
  const TemporaryFolder folder;
  runProgram({JITSCOPE_PROGRAM, "record", GUEST_PROGRAM}, {.folder = folder.path()});
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename());
  }
  ASSERT_EQ(names.size(), 1u);
  EXPECT_TRUE(names[0].starts_with("jitscope-guest_program-2")) << names[0];
  EXPECT_TRUE(names[0].ends_with(".jitscope")) << names[0];
}

TEST(Record, KeepsWhatTheUserPreloads) {
  const TemporaryFolder folder;
  // A jitscope that is built with the address sanitizer refuses to stand behind a preloaded
  // library.
  const RunOptions options{
      .environment = {{"LD_PRELOAD", "libm.so.6"}, {"ASAN_OPTIONS", "verify_asan_link_order=0"}}};
  const ProgramRun run = record(folder / "out.jitscope", {"sh", "-c", "echo $LD_PRELOAD"}, options);
  EXPECT_TRUE(run.output.starts_with("libm.so.6:/")) << run.output << run.errors;
}

TEST(Record, EndsTheTraceCleanlyWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const RunOptions options{.beforeExec = [] {
    // Two seconds of rows take 26 KiB and more, and a quarter of a second must fit.
    constexpr rlim_t kSizeBytes = rlim_t{16} * 1024;
    const rlimit limit{.rlim_cur = kSizeBytes, .rlim_max = kSizeBytes};
    setrlimit(RLIMIT_FSIZE, &limit);
  }};
  const ProgramRun run =
      record(folder / "out.jitscope", {GUEST_PROGRAM, "paced-rows", "20000", "exit", "6"}, options);
  EXPECT_EQ(run.status, 6);
  EXPECT_TRUE(isOneLine(run.errors, "jitscope: ")) << run.errors;
  EXPECT_NE(run.errors.find("rows lost"), std::string::npos) << run.errors;
  const auto recording = Recording::open(folder / "out.jitscope");
  ASSERT_TRUE(recording) << recording.error().text;
  EXPECT_TRUE(recording->files[0].isComplete());
  EXPECT_GT(recording->files[0].rowCount(TableId::kOp), 0u);
}

TEST(Record, SaysWhereItWasAskedForThatNoTrafficWasSampledForWantOfAGpu) {
  const TemporaryFolder folder;
  for (const bool isAsked : {true, false}) {
    const RunOptions how{.recordOptions = isAsked ? Words{"--traffic", "sampled"} : Words{}};
    const ProgramRun run = record(folder / "out.jitscope", {GUEST_PROGRAM, "rows", "10"}, how);
    EXPECT_EQ(run.status, 0);
    EXPECT_TRUE(isOneLine(run.errors, "jitscope: recorded ")) << run.errors;
    const size_t at = run.errors.find("; no memory traffic was sampled: no GPU was seen in use");
    EXPECT_EQ(at != std::string::npos, isAsked) << run.errors;
  }
}

TEST(Record, TakesTheLastWordOnTraffic) {
  const TemporaryFolder folder;
  for (const char* before : {"--traffic=sampled", "--traffic=exact", "--traffic=sampled,exact"}) {
    const RunOptions how{.recordOptions = {before, "--traffic=off"}};
    const ProgramRun run = record(folder / "out.jitscope", {GUEST_PROGRAM, "rows", "10"}, how);
    EXPECT_EQ(run.status, 0);
    EXPECT_EQ(run.errors.find("traffic"), std::string::npos) << run.errors;
    EXPECT_EQ(run.errors.find("again"), std::string::npos) << run.errors;
  }
}

struct Misuse {
  const char* name;
  Words words;
  const char* answer;
};

class EveryMisuse : public testing::TestWithParam<Misuse> {};

TEST_P(EveryMisuse, IsRefusedWithTheNearestRightWord) {
  Words command = {JITSCOPE_PROGRAM};
  command.insert(command.end(), GetParam().words.begin(), GetParam().words.end());
  const ProgramRun run = runProgram(command);
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.output, "");
  EXPECT_NE(run.errors.find(GetParam().answer), std::string::npos) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Jitscope, EveryMisuse,
    testing::Values(
        Misuse{"NoSubcommand", {}, "see jitscope --help"},
        Misuse{"WrongSubcommand", {"recrod"}, "did you mean record?"},
        Misuse{"WrongOption", {"--versoin"}, "did you mean --version?"},
        Misuse{"WrongRecordOption", {"record", "--outptu", "x", "true"}, "did you mean --output?"},
        Misuse{"WrongCheck", {"record", "--chekc", "true"}, "did you mean --check?"},
        Misuse{"NoCommand", {"record", "-o", "x"}, "no command"},
        Misuse{"NoOutput", {"record", "-o"}, "-o needs a path"},
        Misuse{"EmptyOutput", {"record", "--output=", "true"}, "--output needs a path"},
        Misuse{"NoGraphLevel", {"record", "--graph-level"}, "needs node or graph"},
        Misuse{"WrongGraphLevel", {"record", "--graph-level", "edge", "true"}, "not edge"},
        Misuse{"WrongTraffic",
               {"record", "--traffic=exactly", "true"},
               "needs modelled, sampled or exact, not exactly"},
        Misuse{"NoTraffic",
               {"record", "--traffic=sampled,", "true"},
               "needs modelled, sampled or exact, not nothing"},
        Misuse{"ExactOfAPart",
               {"record", "--traffic=exact", "--steps=2..3", "true"},
               "needs the whole program"},
        Misuse{"WrongWindowOption", {"record", "--dealy", "5", "true"}, "did you mean --delay?"},
        Misuse{"NoDelay", {"record", "--delay"}, "--delay needs a time"},
        Misuse{"WrongDelay", {"record", "--delay", "soon", "true"}, "not soon"},
        Misuse{"NoTime", {"record", "--duration=0", "true"}, "--duration needs a time"},
        Misuse{"WrongSteps", {"record", "--steps", "5..2", "true"}, "steps such as 10..20"},
        Misuse{"StepZero", {"record", "--steps", "0..2", "true"}, "counted from 1"},
        Misuse{"StepsAndTime",
               {"record", "--steps", "1..2", "--delay", "5", "true"},
               "no --delay, --duration"},
        Misuse{"NoRange", {"record", "--nvtx-range=", "true"}, "--nvtx-range needs the name"},
        Misuse{"StepsAndRange",
               {"record", "--steps", "1..2", "--nvtx-range", "r", "true"},
               "no --delay, --duration"},
        Misuse{
            "FlightAndRange",
            {"record", "--flight-recorder", "9", "--trigger", "limit", "--nvtx-range", "r", "true"},
            "--nvtx-range"},
        Misuse{"DelayAndPause",
               {"record", "--delay", "5", "--start-paused", "true"},
               "no --toggle-signal, --nvtx-range or --start-paused"},
        Misuse{"WrongSignal", {"record", "--toggle-signal", "USR3", "true"}, "USR"},
        Misuse{"FatalSignal", {"record", "--toggle-signal", "KILL", "true"}, "unknown signal"},
        Misuse{"FlightWithoutTrigger",
               {"record", "--flight-recorder", "30s", "true"},
               "needs --trigger"},
        Misuse{"TriggerWithoutFlight",
               {"record", "--trigger", "recompile", "true"},
               "--trigger needs --flight-recorder"},
        Misuse{"MostWithoutFlight",
               {"record", "--most-windows", "3", "true"},
               "--most-windows needs --flight-recorder"},
        Misuse{"WrongTrigger",
               {"record", "--flight-recorder", "30s", "--trigger", "recompiles", "true"},
               "did you mean 'recompile'?"},
        Misuse{"SlowWithoutTime",
               {"record", "--flight-recorder", "30s", "--trigger", "slow-call", "true"},
               "slow-call=50ms"},
        Misuse{"FlightAndDelay",
               {"record", "--flight-recorder", "30s", "--trigger", "limit", "--delay", "1", "true"},
               "no --delay"},
        Misuse{"ZeroDelay", {"record", "--delay", "0", "true"}, "not 0"},
        Misuse{"EndlessTime", {"record", "--duration", "99999999h", "true"}, "--duration needs"},
        Misuse{"MuchMemory",
               {"record", "--flight-recorder", "9", "--trigger", "limit", "--flight-memory",
                "65GiB", "true"},
               "a size from 16M"},
        Misuse{"LittleMemory",
               {"record", "--flight-recorder", "9", "--trigger", "limit", "--flight-memory", "1K",
                "true"},
               "a size from 16M"},
        Misuse{"WrongDoctorOption", {"doctor", "--hepl"}, "did you mean --help?"}),
    [](const auto& info) { return info.param.name; });

TEST(Jitscope, HelpsOnRequest) {
  for (const Words& words : {Words{"--help"}, Words{"record", "--help"}, Words{"doctor", "-h"}}) {
    Words command = {JITSCOPE_PROGRAM};
    command.insert(command.end(), words.begin(), words.end());
    const ProgramRun run = runProgram(command);
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.output.find("usage: jitscope"), std::string::npos) << run.output;
    EXPECT_EQ(run.errors, "");
  }
}

TEST(Jitscope, HelpsWithRecordingAndCheckingAndDoesNothingElse) {
  const TemporaryFolder folder;
  const RunOptions here{.folder = folder.path()};
  const ProgramRun help = runProgram({JITSCOPE_PROGRAM, "record", "--help"}, here);
  for (const Words& words : {Words{"--check", "--help"}, Words{"--check", "--limit", "x=1", "-h"},
                             Words{"--help", "--check", "--", "echo", "ran"}}) {
    Words command = {JITSCOPE_PROGRAM, "record"};
    command.insert(command.end(), words.begin(), words.end());
    const ProgramRun run = runProgram(command, here);
    EXPECT_EQ(run.status, 0) << words[1];
    EXPECT_EQ(run.output, help.output);
    EXPECT_EQ(run.errors, "");
  }
  EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(folder.path())));
}

TEST(Jitscope, ListsAtRecordTheOptionsOfCheck) {
  const std::string recording = runProgram({JITSCOPE_PROGRAM, "record", "--help"}).output;
  const std::string checking = runProgram({JITSCOPE_PROGRAM, "check", "--help"}).output;
  EXPECT_NE(recording.find(" --check "), std::string::npos);
  size_t options = 0;
  for (size_t at = 0; (at = checking.find("\n  --", at)) != std::string::npos; ++options) {
    at += 3;
    const std::string option = checking.substr(at, checking.find(' ', at) - at);
    EXPECT_NE(recording.find(option), std::string::npos) << option;
  }
  EXPECT_GT(options, 10u) << checking;
  EXPECT_NE(checking.find("any format that `jitscope report --help` names"), std::string::npos);
}

TEST(Doctor, FindsThatThisMachineCanRecord) {
  const ProgramRun run = runProgram({JITSCOPE_PROGRAM, "doctor"});
  EXPECT_EQ(run.status, 0) << run.output;
  EXPECT_NE(run.output.find("ok  preloading"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace jitscope::collector
