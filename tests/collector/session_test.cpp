// The recording of this very process.
#include "collector/inject/session.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "trace/reader.h"
#include "trace/schema.h"

namespace jitscope::collector {
namespace {

constexpr int64_t kThreads = 4;
constexpr int64_t kRows = 5'000;
constexpr int64_t kNames = 500;
constexpr int kRounds = 5;

std::string nameOf(int64_t number) { return "op " + std::to_string(number % kNames); }

/// Rows with numbers that grow, and texts that all threads use.
void writeRows(int64_t thread) {
  for (int64_t number = 0; number < kRows; ++number) {
    const trace::StringId name = session().intern(nameOf(number));
    trace::emit(session(), trace::OpRow{.startNs = number, .thread = thread, .name = name});
  }
}

struct Found {
  size_t rows = 0, rowsOutOfOrder = 0, wrongNames = 0, rowsWithoutName = 0;
};

void look(const trace::TraceFile& file, Found& found) {
  std::map<int64_t, int64_t> last;
  for (const auto& row : file.rows<trace::OpRow>()) {
    ++found.rows;
    const auto [place, isFirst] = last.try_emplace(row.thread, row.startNs);
    if (!isFirst) found.rowsOutOfOrder += row.startNs <= std::exchange(place->second, row.startNs);
    const bool hasName = row.name != trace::StringId{};
    found.rowsWithoutName += !hasName;
    found.wrongNames += hasName && file.text(row.name) != nameOf(row.startNs);
  }
}

TEST(Session, IsOpenedEndedAndResumedWhileManyThreadsWrite) {
  const std::string folder = testing::TempDir() + "session_" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  prepareSession(folder.c_str());
  for (int64_t number = 0; number < kNames; ++number) session().intern(nameOf(number));
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < kThreads; ++thread) threads.emplace_back(writeRows, thread);
  for (int round = 0; round < kRounds; ++round) {
    openSession();
    endSession(End::kExec);
    resumeSession();
  }
  for (std::thread& thread : threads) thread.join();
  openSession();
  trace::emit(session(), trace::OpRow{.thread = kThreads, .name = session().intern(nameOf(0))});
  endSession(End::kExit);

  Found found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto file = trace::TraceFile::open(entry.path());
    ASSERT_TRUE(file) << file.error().text;
    EXPECT_TRUE(file->isComplete()) << entry.path();
    look(*file, found);
  }
  std::filesystem::remove_all(folder);
  EXPECT_GE(found.rows, 1u);
  EXPECT_EQ(found.rowsOutOfOrder, 0u);
  EXPECT_EQ(found.wrongNames, 0u);
  // A thread may ask for a name between two files and write its row into the second.
  EXPECT_LE(found.rowsWithoutName, size_t{kRounds * kThreads});
}

}  // namespace
}  // namespace jitscope::collector
