// When rows are kept, with a clock that the test plays.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collector/windows/gate.h"
#include "tests/support/temporary_folder.h"
#include "trace/memory_trace.h"
#include "trace/recorded_windows.h"
#include "trace/row_time.h"

namespace jitscope::collector {
namespace {

constexpr int64_t kStart = 1'000;

/// How long this thread has run.
int64_t usedNs() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

/// A gate of a process that began at kStart, and the trace that it tells of its windows.
class WindowGateTest : public testing::Test {
 protected:
  void prepare(const WindowPlan& plan, const SharedSwitch* shared = nullptr) {
    gate.prepare(plan, shared, kStart);
    gate.beginFile(kStart, true, trace);
  }

  /// Whether an operator that ran then is kept.
  bool keeps(int64_t startNs, int64_t endNs) {
    const std::vector<int64_t> cells{startNs, endNs, 1, 0, 0, 0, -1, 0, 0, 0};
    return !gate.isUsed() || gate.takes(trace::TableId::kOp, cells, trace);
  }

  /// "1: 1500..1700 delay, duration" for each window that the trace tells of.
  std::vector<std::string> told() {
    const trace::TraceFile file = std::exchange(trace, trace::MemoryTrace()).finish("x", {}, true);
    const auto recorded = trace::recordedWindows(file);
    std::vector<std::string> texts;
    if (!recorded) return texts;
    texts.push_back(recorded->wish);
    for (const trace::RecordedWindowRow& row : recorded->windows) {
      texts.push_back(std::to_string(row.window) + ": " + std::to_string(row.startNs) + ".." +
                      std::to_string(row.endNs) + ' ' + std::string(file.text(row.reason)) + ", " +
                      std::string(file.text(row.endReason)));
    }
    return texts;
  }

  using Texts = std::vector<std::string>;
  WindowGate gate;
  trace::MemoryTrace trace;
};

TEST_F(WindowGateTest, KeepsAllAndTellsNothingWithoutAWish) {
  prepare({});
  EXPECT_FALSE(gate.isUsed());
  EXPECT_TRUE(gate.isOpen(5'000));
  gate.endFile(9'000, trace);
  EXPECT_EQ(told(), Texts{});
}

TEST_F(WindowGateTest, KeepsWhatRanAtLeastInPartBetweenDelayAndDuration) {
  prepare({.firstNs = 1'500, .durationNs = 200, .wish = "--delay 1 --duration 1"});
  EXPECT_FALSE(keeps(1'000, 1'100));
  EXPECT_FALSE(keeps(1'400, 1'500));
  EXPECT_TRUE(keeps(1'400, 1'501));
  EXPECT_TRUE(keeps(1'500, 1'500));
  EXPECT_TRUE(gate.isOpen(1'600));
  EXPECT_TRUE(keeps(1'699, 5'000));
  EXPECT_FALSE(keeps(1'700, 1'700));
  EXPECT_TRUE(keeps(1'600, 1'650)) << "told late";
  EXPECT_FALSE(gate.isOpen(1'700));
  gate.endFile(9'000, trace);
  EXPECT_EQ(told(), (Texts{"--delay 1 --duration 1", "1: 1500..1700 delay, duration"}));
}

TEST_F(WindowGateTest, TellsNoWindowThatTheProgramDidNotReach) {
  prepare({.firstNs = 1'500, .wish = "--delay 1"});
  EXPECT_FALSE(keeps(1'100, 1'200));
  gate.endFile(1'300, trace);
  EXPECT_EQ(told(), Texts{"--delay 1"});
}

TEST_F(WindowGateTest, EndsAnOpenWindowWithTheRecording) {
  prepare({.firstNs = 1'500, .wish = "--delay 1"});
  EXPECT_TRUE(keeps(1'600, 1'650));
  gate.endFile(1'800, trace);
  EXPECT_EQ(told(), (Texts{"--delay 1", "1: 1500..1800 delay, end of the recording"}));
}

TEST_F(WindowGateTest, TellsAWindowWhenItBeginsForAProcessThatIsKilled) {
  prepare({.firstNs = 1'500, .wish = "--delay 1"});
  EXPECT_TRUE(keeps(1'600, 1'650));
  EXPECT_EQ(told(), (Texts{"--delay 1", "1: 1500..0 delay, "}));
}

TEST_F(WindowGateTest, KeepsWhatLaterEventsNeedWheneverItComes) {
  prepare({.isPaused = true, .wish = "--start-paused"});
  for (const auto table : {trace::TableId::kFrame, trace::TableId::kCompile, trace::TableId::kGuard,
                           trace::TableId::kArtifact, trace::TableId::kLoss}) {
    EXPECT_TRUE(gate.takes(table, std::vector<int64_t>(20, 0), trace));
  }
  EXPECT_FALSE(keeps(1'100, 1'200));
}

TEST_F(WindowGateTest, KeepsAFailureWithItsRecompileAndABreakWhenItIsFound) {
  prepare({.isPaused = true});
  const auto takes = [&](const auto& row) {
    struct Keep : trace::EventSink {
      trace::StringId intern(std::string_view) noexcept override { return {}; }
      void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
        isEvent = trace::eventTime(table, cells).has_value();
      }
      bool isEvent = false;
    } keep;
    trace::emit(keep, row);
    return !keep.isEvent;
  };
  EXPECT_TRUE(takes(trace::GuardFailureRow{.caused = trace::AttemptId{1}}));
  EXPECT_FALSE(takes(trace::GuardFailureRow{}));
  EXPECT_TRUE(takes(trace::GraphBreakRow{.isFirst = 1}));
  EXPECT_FALSE(takes(trace::GraphBreakRow{}));
  EXPECT_TRUE(takes(trace::CounterRow{.device = -1}));
  EXPECT_FALSE(takes(trace::CounterRow{}));
}

TEST_F(WindowGateTest, FollowsTheProgramEvenUnasked) {
  prepare({});
  EXPECT_TRUE(keeps(1'100, 1'200));
  gate.stop(1'300, WindowCause::kProgram);
  gate.stop(1'310, WindowCause::kProgram);
  EXPECT_FALSE(keeps(1'320, 1'330));
  gate.start(1'400, WindowCause::kProgram);
  gate.start(1'450, WindowCause::kProgram);
  EXPECT_TRUE(keeps(1'460, 1'470));
  EXPECT_TRUE(keeps(1'200, 1'250)) << "told late";
  gate.endFile(1'500, trace);
  EXPECT_EQ(told(), (Texts{"as the program says", "1: 1000..1300 start of the process, program",
                           "2: 1400..1500 program, end of the recording"}));
}

TEST_F(WindowGateTest, BeginsAtOnceWhenTheProgramDoesNotWaitForTheDelay) {
  prepare({.firstNs = 5'000, .durationNs = 100});
  gate.start(1'200, WindowCause::kProgram);
  EXPECT_TRUE(keeps(1'210, 1'220));
  EXPECT_FALSE(keeps(5'010, 5'020));
}

TEST_F(WindowGateTest, CountsTheStepsOfTheBestMarksThatThereAre) {
  prepare({.firstStep = 2, .lastStep = 3, .wish = "--steps 2..3"});
  const trace::StringId none{}, sgd{1}, adam{2};
  gate.step(StepMark::kOptimizer, sgd, 1'100);  // not a step: marks of a profiler come
  EXPECT_TRUE(keeps(1'110, 1'120));
  gate.step(StepMark::kProfiler, adam, 1'200);  // step 1
  gate.step(StepMark::kOptimizer, sgd, 1'250);
  EXPECT_TRUE(keeps(1'260, 1'270));
  gate.step(StepMark::kProfiler, none, 1'300);  // step 2
  gate.step(StepMark::kProfiler, none, 1'400);  // step 3
  EXPECT_FALSE(keeps(1'410, 1'420));
  gate.endFile(1'500, trace);
  EXPECT_EQ(told(), (Texts{"--steps 2..3", "1: 1100..1400 step 2, step 3"}));
}

TEST_F(WindowGateTest, RecordsTheFirstStepFromTheStart) {
  prepare({.firstStep = 1, .lastStep = 1, .wish = "--steps 1"});
  EXPECT_TRUE(keeps(1'010, 1'020));
  gate.step(StepMark::kProgram, {}, 1'100);
  EXPECT_FALSE(keeps(1'110, 1'120));
  gate.endFile(1'500, trace);
  EXPECT_EQ(told(), (Texts{"--steps 1", "1: 1000..1100 step 1, step 1"}));
}

TEST(StepCounter, CountsOneOptimizerOfSeveral) {
  StepCounter counter;
  counter.prepare(3, 3);
  using Turn = StepCounter::Turn;
  const trace::StringId generator{1}, critic{2};
  EXPECT_EQ(counter.end(StepMark::kOptimizer, critic).turn, Turn::kNone);
  EXPECT_EQ(counter.end(StepMark::kOptimizer, generator).turn, Turn::kNone);
  EXPECT_EQ(counter.end(StepMark::kOptimizer, critic).turn, Turn::kStart);
  EXPECT_EQ(counter.end(StepMark::kOptimizer, generator).turn, Turn::kNone);
  EXPECT_EQ(counter.end(StepMark::kOptimizer, critic).turn, Turn::kStop);
}

TEST(StepCounter, KnowsTheNamesOfMarks) {
  EXPECT_EQ(stepMarkOf("ProfilerStep#12"), StepMark::kProfiler);
  EXPECT_EQ(stepMarkOf("Optimizer.step#Adam.step"), StepMark::kOptimizer);
  EXPECT_EQ(stepMarkOf("Optimizer.zero_grad#Adam.zero_grad"), StepMark::kNone);
  EXPECT_EQ(stepMarkOf("aten::mm"), StepMark::kNone);
}

TEST_F(WindowGateTest, IsFlippedByASignalToTheLauncherInAllProcesses) {
  const tests::TemporaryFolder folder;
  const auto shared = SharedSwitch::create(folder / "switch");
  ASSERT_TRUE(shared) << shared.error().text;
  prepare({.durationNs = 500, .hasSignal = true, .wish = "--toggle-signal USR2"},
          SharedSwitch::open((folder / "switch").c_str()));
  EXPECT_FALSE(keeps(1'010, 1'020));
  (*shared)->flip(1'100);
  EXPECT_TRUE(keeps(1'110, 1'120));
  (*shared)->flip(1'200);
  EXPECT_FALSE(keeps(1'210, 1'220));
  (*shared)->flip(1'300);
  EXPECT_TRUE(keeps(1'799, 1'850));
  EXPECT_FALSE(keeps(1'801, 1'850)) << "ended by its duration";
  (*shared)->flip(1'900);
  gate.endFile(2'000, trace);
  EXPECT_EQ(told(), (Texts{"--toggle-signal USR2", "1: 1100..1200 signal, signal",
                           "2: 1300..1800 signal, duration",
                           "3: 1900..2000 signal, end of the recording"}));
}

TEST_F(WindowGateTest, FollowsEachFlipOnceHoweverManyThreadsSeeIt) {
  constexpr int kFlips = 100, kRows = 2;
  const tests::TemporaryFolder folder;
  const auto shared = SharedSwitch::create(folder / "switch");
  ASSERT_TRUE(shared) << shared.error().text;
  prepare({.hasSignal = true, .wish = "--toggle-signal USR2"}, *shared);
  std::atomic<int> rows{0};
  std::atomic<bool> isOver{false};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&] {
      for (; !isOver; ++rows) keeps(kStart, kStart);
    });
  }
  Texts expected{"--toggle-signal USR2"};
  for (int flip = 0; flip < kFlips; ++flip) {
    (*shared)->flip(kStart + 10 * flip);
    for (const int before = rows; rows < before + kRows;) std::this_thread::yield();
  }
  isOver = true;
  for (std::thread& thread : threads) thread.join();
  for (int window = 0; window < kFlips / 2; ++window) {
    const int startNs = static_cast<int>(kStart) + 20 * window;
    expected.push_back(std::to_string(window + 1) + ": " + std::to_string(startNs) + ".." +
                       std::to_string(startNs + 10) + " signal, signal");
  }
  gate.endFile(kStart + 10 * kFlips, trace);
  EXPECT_EQ(told(), expected);
}

TEST_F(WindowGateTest, TellsNothingOfSignalsThatCameBeforeTheProgram) {
  const tests::TemporaryFolder folder;
  const auto shared = SharedSwitch::create(folder / "switch");
  ASSERT_TRUE(shared) << shared.error().text;
  for (const int64_t timeNs : {100, 200, 300, 400}) (*shared)->flip(timeNs);
  prepare({.hasSignal = true, .wish = "--toggle-signal USR2"}, *shared);
  EXPECT_FALSE(keeps(1'010, 1'020));
  (*shared)->flip(1'100);
  EXPECT_TRUE(keeps(1'110, 1'120));
  gate.endFile(1'200, trace);
  EXPECT_EQ(told(), (Texts{"--toggle-signal USR2", "3: 1100..1200 signal, end of the recording"}));
}

TEST_F(WindowGateTest, KnowsThatASignalCameBeforeTheWordOfTheProgram) {
  const tests::TemporaryFolder folder;
  const auto shared = SharedSwitch::create(folder / "switch");
  ASSERT_TRUE(shared) << shared.error().text;
  prepare({.hasSignal = true}, *shared);
  (*shared)->flip(1'100);
  gate.stop(1'200, WindowCause::kProgram);
  EXPECT_TRUE(keeps(1'110, 1'120));
  EXPECT_FALSE(keeps(1'210, 1'220));
}

TEST_F(WindowGateTest, GoesOnInAForkedChildWithAFileOfItsOwn) {
  prepare({.isPaused = true, .wish = "--start-paused"});
  gate.start(1'100, WindowCause::kProgram);
  gate.stop(1'200, WindowCause::kProgram);
  gate.start(1'300, WindowCause::kProgram);
  trace = {};  // the child's
  gate.beginFile(1'400, false, trace);
  EXPECT_TRUE(keeps(1'410, 1'420));
  gate.endFile(1'500, trace);
  EXPECT_EQ(told(), (Texts{"--start-paused", "2: 1300..1500 program, end of the recording"}));
}

TEST_F(WindowGateTest, TellsOfWindowsThatWereOverBeforeTheFirstFileBegan) {
  gate.prepare({.isPaused = true, .wish = "--start-paused"}, nullptr, kStart);
  gate.start(1'100, WindowCause::kCuda);
  gate.stop(1'200, WindowCause::kCuda);
  gate.start(1'300, WindowCause::kCuda);
  gate.beginFile(1'400, true, trace);
  gate.stop(1'500, WindowCause::kCuda);
  gate.endFile(1'600, trace);
  EXPECT_EQ(told(), (Texts{"--start-paused", "1: 1100..1200 CUDA profiler, CUDA profiler",
                           "2: 1300..1500 CUDA profiler, CUDA profiler"}));
}

TEST_F(WindowGateTest, LeavesToAParentWithoutAFileWhatItsWindowsWere) {
  gate.prepare({.isPaused = true, .wish = "--start-paused"}, nullptr, kStart);
  gate.start(1'100, WindowCause::kProgram);
  gate.stop(1'200, WindowCause::kProgram);
  gate.beginFile(1'400, false, trace);  // a child's, before the parent's
  gate.endFile(1'500, trace);
  EXPECT_EQ(told(), Texts{"--start-paused"});
}

TEST_F(WindowGateTest, StaysQuickAndBoundedWhenWindowsComeByTheThousand) {
  prepare({.isPaused = true, .wish = "--start-paused"});
  for (int64_t number = 1; number <= 5'000; ++number) {
    gate.start(kStart + 10 * number, WindowCause::kProgram);
    gate.stop(kStart + 10 * number + 5, WindowCause::kProgram);
  }
  EXPECT_TRUE(keeps(kStart + 50'001, kStart + 50'002));
  EXPECT_FALSE(keeps(kStart + 50'006, kStart + 50'007));
  EXPECT_FALSE(keeps(kStart + 21, kStart + 22)) << "forgotten";
  gate.endFile(kStart + 60'000, trace);
  const trace::TraceFile file = std::move(trace).finish("x", {}, true);
  const auto recorded = trace::recordedWindows(file);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->windows.size(), WindowList::kKept);
  EXPECT_EQ(recorded->windows.back().window, 5'000);
  EXPECT_EQ(recorded->windows.back().endNs, 51'005);
  const auto losses = file.rows<trace::LossRow>();
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_TRUE(file.text(losses[0].text).starts_with("windows of which too many came"));
  EXPECT_EQ(losses[0].amount, 5'000 - static_cast<int64_t>(WindowList::kKept));
  EXPECT_TRUE(file.text(losses[1].text).starts_with("rows that came so late"));
  EXPECT_EQ(losses[1].amount, 1);
}

TEST(ForkLock, IsFreeInAChildOfAProcessThatHeldIt) {
  static ForkLock lock;
  const ForkLock::Hold hold(lock);
  ASSERT_TRUE(hold);
  const pid_t child = fork();
  if (child == 0) _exit(ForkLock::Hold(lock) ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ForkLock, IsNotWaitedForByTheThreadThatHoldsIt) {
  ForkLock lock;
  const ForkLock::Hold hold(lock);
  EXPECT_FALSE(ForkLock::Hold(lock)) << "as in the handler of a signal";
}

TEST(ForkLock, IsHadByWhoWaitsForAThreadThatIsHeldUp) {
  constexpr int64_t kHeldUpNs = 100'000'000;
  ForkLock lock;
  std::atomic<bool> isAsking{false}, isHad{false};
  std::thread other;
  {
    const ForkLock::Hold hold(lock);
    ASSERT_TRUE(hold);
    other = std::thread([&] {
      isAsking = true;
      isHad = static_cast<bool>(ForkLock::Hold(lock));
    });
    while (!isAsking) std::this_thread::yield();
    for (const int64_t startNs = usedNs(); usedNs() - startNs < kHeldUpNs;) {
    }
    EXPECT_FALSE(isHad);
  }
  other.join();
  EXPECT_TRUE(isHad);
}

TEST(ForkLock, IsFreeWhenTheThreadThatHeldItIsGone) {
  ForkLock lock;
  alignas(ForkLock::Hold) char memory[sizeof(ForkLock::Hold)];
  std::thread([&] { new (memory) ForkLock::Hold(lock); }).join();
  EXPECT_TRUE(ForkLock::Hold(lock));
}

}  // namespace
}  // namespace jitscope::collector
