#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "tests/support/temporary_folder.h"
#include "tests/trace/child_process.h"
#include "trace/clock.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kPromiseNs = 250 * kMillisecond;

void waitNs(int64_t durationNs) {
  const timespec duration{durationNs / 1'000'000'000, durationNs % 1'000'000'000};
  nanosleep(&duration, nullptr);
}

/// What a child that writes rows tells its parent.
struct Progress {
  std::atomic<int64_t> startedNs{0};
  std::atomic<int64_t> lastWrittenNs{0};     ///< time of the last row whose write returned
  std::atomic<int64_t> worstOversleepNs{0};  ///< how late this machine wakes up a thread that waits
};

/// Watches how late threads of this process are woken: what the writer cannot be faster than.
void watchScheduling(Progress& progress) {
  for (;;) {
    const int64_t start = nowNs();
    waitNs(50 * kMillisecond);
    const int64_t late = nowNs() - start - 50 * kMillisecond;
    progress.worstOversleepNs = std::max<int64_t>(progress.worstOversleepNs, late);
  }
}

[[noreturn]] void writeUntilKilled(const std::filesystem::path& path, Progress& progress) {
  const auto writer = std::move(*FileWriter::create(path));
  std::thread(watchScheduling, std::ref(progress)).detach();
  progress.startedNs = nowNs();
  for (;;) {
    const int64_t now = nowNs();
    emit(*writer, OpRow{.startNs = now, .endNs = now + 1, .name = writer->intern("op")});
    progress.lastWrittenNs = now;
    waitNs(20'000);
  }
}

TEST(Kill, LosesAtMostTheLastQuarterOfASecond) {
  const tests::TemporaryFolder folder;
  std::mt19937_64 random(std::random_device{}());
  for (int round = 0; round < 8; ++round) {
    const std::filesystem::path path = folder.path() / (std::to_string(round) + ".jitscope");
    SharedWithChild<Progress> progress;
    const pid_t child = fork();
    if (child == 0) writeUntilKilled(path, *progress.operator->());
    while (progress->startedNs == 0) waitNs(kMillisecond);
    waitNs(static_cast<int64_t>(random() % 500) * kMillisecond);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));

    const Result<TraceFile> file = TraceFile::open(path);
    ASSERT_TRUE(file) << file.error().text;
    EXPECT_FALSE(file->isComplete());
    EXPECT_LE(file->losses().size(), 1u);
    const std::vector<OpRow> rows = file->rows<OpRow>();
    // Rows come without a gap, so what is lost is what was written after the last row that is
    // there.
    const int64_t lastKept = rows.empty() ? progress->startedNs.load() : rows.back().startNs;
    const int64_t allowed = kPromiseNs + 2 * progress->worstOversleepNs;
    EXPECT_LE(progress->lastWrittenNs - lastKept, allowed) << "round " << round;
    for (const OpRow& row : rows) ASSERT_EQ(file->text(row.name), "op");
  }
}

}  // namespace
}  // namespace jitscope::trace
