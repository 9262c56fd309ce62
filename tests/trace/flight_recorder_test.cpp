// A flight recorder with a clock that the test plays.
#include "trace/write/flight_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/trace/child_process.h"
#include "trace/memory_trace.h"
#include "trace/reader.h"
#include "trace/recorded_windows.h"

namespace jitscope::trace::write {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kEpoch = 1'790'000'000 * kSecond;

int64_t clockNs = 0;
int64_t playedClock() { return clockNs; }
int64_t signalNs = 0;
int64_t playedSignal() { return std::exchange(signalNs, 0); }

class FlightRecorderTest : public testing::Test {
 protected:
  FlightRecorderTest() { clockNs = kEpoch; }

  void start(FlightOptions options) {
    options.now = playedClock;
    options.signalledNs = playedSignal;
    options.wish = "--flight-recorder 10s";
    recorder.emplace(Producers{logs, texts, counters}, options);
    ASSERT_TRUE(recorder->create(folder / "service-7.jitscope"));
    emitRow(ProcessRow{.pid = 7});
    emitRow(FrameRow{.frame = FrameId{3}});
  }

  template <class Row>
  void emitRow(const Row& row) {
    struct ToLogs : EventSink {
      explicit ToLogs(ThreadLogs& to) : to(to) {}
      StringId intern(std::string_view) noexcept override { return {}; }
      void write(TableId table, std::span<const int64_t> cells) noexcept override {
        to.mine()->rows.append(table, cells);
      }
      ThreadLogs& to;
    } sink(logs);
    emit(sink, row);
  }

  StringId intern(const std::string& text) {
    return texts.intern(keyOf(text), text).value_or(StringId{});
  }

  /// One second of a service: an operator at each tenth, its number in `sequence`.
  void runSecond() {
    for (int tenth = 0; tenth < 10; ++tenth) {
      emitRow(OpRow{.startNs = clockNs,
                    .endNs = clockNs + 1000,
                    .thread = 1,
                    .name = intern("op " + std::to_string(tenth)),
                    .sequence = (clockNs - kEpoch) / (kSecond / 10)});
      recorder->record();
      clockNs += kSecond / 10;
    }
  }
  void runSeconds(int seconds) {
    for (; seconds > 0; --seconds) runSecond();
  }

  std::set<std::filesystem::path> windows() const {
    std::set<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
      paths.insert(entry.path());
    }
    return paths;
  }

  /// Opens the only window, or that of a number.
  TraceFile window(const std::string& number = "1") {
    const auto path = folder / ("service-7-window-" + number + ".jitscope");
    Result<TraceFile> file = TraceFile::open(path);
    EXPECT_TRUE(file) << file.error().text;
    EXPECT_TRUE(file->isComplete());
    EXPECT_TRUE(file->losses().empty());
    return *file;
  }

  /// The numbers of the first and the last operator of a window.
  static std::pair<int64_t, int64_t> range(const TraceFile& file) {
    std::vector<int64_t> numbers;
    for (const OpRow& row : file.rows<OpRow>()) {
      numbers.push_back(row.sequence);
      EXPECT_EQ(file.text(row.name), "op " + std::to_string(row.sequence % 10));
    }
    EXPECT_FALSE(numbers.empty());
    if (numbers.empty()) return {};
    const auto [first, last] = std::minmax_element(numbers.begin(), numbers.end());
    return {*first, *last};
  }

  tests::TemporaryFolder folder;
  TextInterner texts{10'000, size_t{1} << 20};
  LossCounters counters;
  ThreadLogs logs{64};
  std::optional<FlightRecorder> recorder;
};

TEST_F(FlightRecorderTest, WritesNothingUntilATriggerComes) {
  start({.beforeNs = 10 * kSecond, .afterNs = kSecond});
  runSeconds(100);
  recorder->finish(1);
  EXPECT_TRUE(windows().empty());
}

TEST_F(FlightRecorderTest, WritesTheTimeAroundATriggerAndWhatItsEventsNeed) {
  start({.beforeNs = 10 * kSecond, .afterNs = 2 * kSecond});
  runSeconds(100);
  recorder->trigger("recompile", clockNs);
  runSeconds(50);
  const TraceFile file = window();
  EXPECT_EQ(windows().size(), 1u);
  const auto [first, last] = range(file);
  EXPECT_NEAR(static_cast<double>(first), 900, 2);
  EXPECT_NEAR(static_cast<double>(last), 1025, 2);
  EXPECT_EQ(file.rowCount(TableId::kProcess), 1u);
  EXPECT_EQ(file.rowCount(TableId::kFrame), 1u);
  const auto recorded = recordedWindows(file);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->wish, "--flight-recorder 10s");
  ASSERT_EQ(recorded->windows.size(), 1u);
  const RecordedWindowRow row = recorded->windows[0];
  EXPECT_EQ(file.text(row.reason), "recompile");
  EXPECT_EQ(row.triggers, 1);
  EXPECT_EQ(row.triggerNs, kEpoch + 100 * kSecond);
  EXPECT_EQ(row.startNs, kEpoch + 90 * kSecond);
}

TEST_F(FlightRecorderTest, BeginsNoWindowBeforeItBeganItself) {
  start({.beforeNs = 1000 * kSecond, .afterNs = kSecond});
  runSeconds(5);
  recorder->trigger("recompile", clockNs);
  runSeconds(3);
  EXPECT_EQ(recordedWindows(window())->windows.at(0).startNs, kEpoch);
}

TEST_F(FlightRecorderTest, WritesAWaitingWindowWhenTheProcessEnds) {
  start({.beforeNs = 10 * kSecond, .afterNs = 2 * kSecond});
  runSeconds(20);
  recorder->trigger("limit", clockNs);
  emitRow(OpRow{.startNs = clockNs, .endNs = clockNs, .name = intern("op 0"), .sequence = 200});
  recorder->record();
  recorder->finish(42);
  const TraceFile file = window();
  EXPECT_EQ(range(file).second, 200);
  const auto losses = file.rows<LossRow>();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, LossKind::kOverhead);
}

TEST_F(FlightRecorderTest, HearsASignalWithoutAnyRow) {
  start({.beforeNs = 10 * kSecond, .afterNs = kSecond});
  runSeconds(20);
  signalNs = clockNs;
  for (int tenth = 0; tenth < 50; ++tenth) {
    recorder->record();
    clockNs += kSecond / 10;
  }
  const TraceFile file = window();
  EXPECT_EQ(file.text(recordedWindows(file)->windows[0].reason), "signal");
}

TEST_F(FlightRecorderTest, TurnsAStormOfTriggersIntoAFewWindowsThatDoNotOverlap) {
  start({.beforeNs = 10 * kSecond, .afterNs = kSecond, .mostWindows = 3});
  runSeconds(10);
  for (int second = 0; second < 60; ++second) {
    for (int i = 0; i < 1000; ++i) recorder->trigger("slow-call", clockNs);
    runSecond();
  }
  EXPECT_EQ(windows().size(), 3u);
  std::set<int64_t> seen;
  int64_t triggers = 0;
  size_t rows = 0;
  for (const auto& path : windows()) {
    const auto file = TraceFile::open(path);
    ASSERT_TRUE(file) << file.error().text;
    triggers += recordedWindows(*file)->windows[0].triggers;
    rows += file->rowCount(TableId::kOp);
    for (const OpRow& row : file->rows<OpRow>()) seen.insert(row.sequence);
  }
  EXPECT_LE(rows - seen.size(), 6u) << "a chunk may stand at the border of two windows";
  EXPECT_NEAR(static_cast<double>(triggers), 30'000, 2'000);
  EXPECT_NEAR(static_cast<double>(seen.size()), 300, 20);
}

TEST_F(FlightRecorderTest, KeepsItsMemoryBoundedForEver) {
  constexpr int64_t kMemory = int64_t{1} << 20;
  start({.beforeNs = 1000 * kSecond, .afterNs = kSecond, .memoryBytes = kMemory});
  for (int64_t number = 0; number < 100'000; ++number) {
    // What compresses badly: nothing repeats.
    const auto noise = static_cast<int64_t>(static_cast<uint64_t>(number) * 0x9e3779b97f4a7c15U);
    emitRow(OpRow{.startNs = clockNs, .endNs = clockNs + 1, .thread = noise, .sequence = noise});
    emitRow(CompileRow{.frame = FrameId{noise}, .startNs = clockNs, .thread = noise});
    if (number % 1000 == 0) recorder->record();
    clockNs += 1000;
  }
  recorder->record();
  recorder->trigger("recompile", clockNs);
  recorder->finish(1);
  EXPECT_LT(std::filesystem::file_size(*windows().begin()), kMemory);
  const TraceFile file = window();
  EXPECT_GT(file.rowCount(TableId::kOp), 1000u);
  EXPECT_GT(file.rowCount(TableId::kCompile), 1000u);
  EXPECT_EQ(file.rowCount(TableId::kProcess), 1u);
  EXPECT_EQ(file.rowCount(TableId::kFrame), 1u);
  int64_t lost = 0;
  for (const LossRow& row : file.rows<LossRow>()) {
    if (row.kind == LossKind::kDropped) lost += row.amount;
  }
  EXPECT_EQ(
      static_cast<size_t>(lost) + file.rowCount(TableId::kOp) + file.rowCount(TableId::kCompile),
      200'000u);
}

TEST_F(FlightRecorderTest, CountsAWindowThatTheDiskDidNotTakeAndGoesOn) {
  start({.beforeNs = 10 * kSecond, .afterNs = kSecond});
  runSeconds(20);
  const std::filesystem::path hidden = folder.path().string() + "-hidden";
  std::filesystem::rename(folder.path(), hidden);
  recorder->trigger("recompile", clockNs);
  runSeconds(15);
  std::filesystem::rename(hidden, folder.path());
  EXPECT_TRUE(windows().empty());
  recorder->trigger("recompile", clockNs);
  runSeconds(15);
  const TraceFile file = window("2");
  bool isTold = false;
  for (const LossRow& row : file.rows<LossRow>()) {
    isTold = isTold || file.text(row.text).starts_with("windows that could not be written");
  }
  EXPECT_TRUE(isTold);
}

TEST_F(FlightRecorderTest, ReplacesNoFileOfTheProgramThatThisProcessWasBefore) {
  start({.beforeNs = 10 * kSecond, .afterNs = kSecond});
  std::filesystem::create_directory(folder / "service-7-window-1.jitscope");
  recorder->trigger("recompile", clockNs);
  runSeconds(15);
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "service-7-window-1-2.jitscope"));
}

TEST(WindowFile, IsTakenAwayAgainUnlessItIsFinished) {
  const tests::TemporaryFolder folder;
  const std::filesystem::path path = folder / "w.jitscope";
  Batch batch;
  batch.addDescription(*knownTable(TableId::kOp));
  for (const bool isFinished : {false, true}) {
    {
      WindowFile file;
      ASSERT_TRUE(file.create(path));
      file.add(batch);
      EXPECT_TRUE(std::filesystem::exists(path));
      EXPECT_TRUE(!isFinished || file.finish());
    }
    EXPECT_EQ(std::filesystem::exists(path), isFinished);
  }
}

TEST(ForkPause, LetsAForkPassAmidWorkThatIsLong) {
  ForkPause pause;
  std::atomic<bool> isOver{false}, isAmid{false};
  std::thread worker([&] {
    const std::lock_guard work(pause.work());
    while (!isOver) {
      isAmid = true;
      for (int step = 0; step < 100'000; ++step) isAmid = true;
      isAmid = false;
      pause.letForkPass();
    }
  });
  while (!isAmid) std::this_thread::yield();
  // Some may find the worker held up for longer than a fork waits.
  bool isPassed = false;
  for (int number = 0; number < 100 && !isPassed; ++number) {
    isPassed = statusOfChild([&] { return isAmid ? 1 : 0; }) == 0;
  }
  EXPECT_TRUE(isPassed);
  isOver = true;
  worker.join();
}

TEST(RecordedWindows, AreSummedUpAsFarAsTheSumFits) {
  MemoryTrace trace;
  constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
  emit(trace, RecordedWindowRow{.window = 1, .startNs = 1, .endNs = kLast});
  emit(trace, RecordedWindowRow{.window = 2, .startNs = 1, .endNs = kLast});
  emit(trace,
       RecordedWindowRow{.window = 3, .startNs = 5, .endNs = std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(recordedWindows(std::move(trace).finish("x", {}, true))->totalNs, kLast);
}

TEST(TextInterner, LeavesRoomForNamesWhenLongTextsFillIt) {
  TextInterner texts(1000, 100'000);
  const auto intern = [&](std::string text) { return texts.intern(keyOf(text), text); };
  int kept = 0;
  for (int number = 0; number < 100; ++number) {
    if (intern(std::string(2000, 'x') + std::to_string(number))) ++kept;
  }
  EXPECT_EQ(kept, 24);
  EXPECT_TRUE(intern("a name"));
}

}  // namespace
}  // namespace jitscope::trace::write
