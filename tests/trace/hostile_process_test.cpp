#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/trace/child_process.h"
#include "tests/trace/trace_bytes.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

constexpr int kMostDescriptors = 1024;

/// Each test ruins the process it runs in, so it runs in a child that writes to path_.
class HostileProcess : public ::testing::Test {
 protected:
  static std::unique_ptr<FileWriter> create(const std::filesystem::path& path) {
    return std::move(*FileWriter::create(path));
  }

  TraceFile read() const {
    Result<TraceFile> file = TraceFile::open(path_);
    EXPECT_TRUE(file) << file.error().text;
    EXPECT_TRUE(file->losses().empty());
    return *file;
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.jitscope";
};

TEST_F(HostileProcess, ThatClosesAllDescriptorsLosesNothing) {
  const int status = statusOfChild([&] {
    const auto writer = create(path_);
    for (int64_t round = 0; round < 5; ++round) {
      emit(*writer, ThreadRow{.thread = round});
      writer->flush();
      for (int number = 0; number < kMostDescriptors; ++number) close(number);
    }
    return static_cast<int>(writer->close().lost);
  });
  ASSERT_EQ(status, 0);
  EXPECT_EQ(read().rowCount(TableId::kThread), 5u);
  EXPECT_TRUE(read().isComplete());
}

TEST_F(HostileProcess, ThatReusesEveryDescriptorKeepsItsOwnFiles) {
  const std::filesystem::path foreign = folder_.path() / "foreign";
  const int status = statusOfChild([&] {
    if (chdir(folder_.path().c_str()) != 0) return 100;
    const auto writer = create("t.jitscope");
    emit(*writer, ThreadRow{.thread = 1});
    writer->flush();
    if (chdir("/") != 0) return 101;
    const int own = open(foreign.c_str(), O_RDWR | O_CREAT | O_APPEND, 0600);
    for (int number = 3; number < kMostDescriptors; ++number) {
      if (number != own) dup2(own, number);
    }
    if (::write(own, "mine", 4) != 4) return 102;
    emit(*writer, ThreadRow{.thread = 2});
    return static_cast<int>(writer->close().lost);
  });
  ASSERT_EQ(status, 0);
  EXPECT_EQ(readBytes(foreign), "mine");
  // No number is free for opening the trace again, so the second row is lost, not misplaced.
  const TraceFile file = read();
  EXPECT_GE(file.rowCount(TableId::kThread), 1u);
}

TEST_F(HostileProcess, ThatPutsAnotherFileUnderOurNumberGetsTheTraceReopened) {
  const std::filesystem::path foreign = folder_.path() / "foreign";
  const int status = statusOfChild([&] {
    const auto writer = create(path_);
    emit(*writer, ThreadRow{.thread = 1});
    writer->flush();
    const int own = open(foreign.c_str(), O_RDWR | O_CREAT, 0600);
    for (int number = 700; number < 800; ++number) {
      if (fcntl(number, F_GETFD) >= 0) dup2(own, number);
    }
    emit(*writer, ThreadRow{.thread = 2});
    return static_cast<int>(writer->close().lost);
  });
  ASSERT_EQ(status, 0);
  EXPECT_EQ(readBytes(foreign), "");
  EXPECT_EQ(read().rowCount(TableId::kThread), 2u);
}

TEST_F(HostileProcess, ThatRemovesTheFileGetsItsLossesCounted) {
  const auto writer = create(path_);
  emit(*writer, ThreadRow{.thread = 1});
  writer->flush();
  const int status = statusOfChild([] { return 0; });
  ASSERT_EQ(status, 0);
  std::filesystem::remove(path_);
  writeBytes(path_, "somebody else's");
  for (int number = 700; number < 800; ++number) close(number);
  for (int64_t i = 0; i < 10; ++i) emit(*writer, ThreadRow{.thread = i});
  const WriterSummary summary = writer->close();
  EXPECT_EQ(summary.lost, 10);
  EXPECT_EQ(readBytes(path_), "somebody else's");
}

TEST_F(HostileProcess, AForkedChildCannotHarmItsParentsTrace) {
#if defined(__SANITIZE_ADDRESS__)
  // Its allocator, unlike the C library's, is not taken over a fork: the child waits for ever for
  // the lock of a size that the busy thread was allocating.
  GTEST_SKIP() << "the address sanitizer's allocator cannot be used in a child of a busy process";
#endif
  auto writer = create(path_);
  const StringId name = writer->intern("parent");
  emit(*writer, ThreadRow{.thread = 1, .name = name});
  std::atomic<bool> isDone{false};
  std::thread busy([&] {
    while (!isDone) emit(*writer, ThreadRow{.thread = 2});
  });
  const std::filesystem::path childPath = folder_.path() / "child.jitscope";
  for (int round = 0; round < 20; ++round) {
    ASSERT_EQ(statusOfChild([&] {
                emit(*writer, ThreadRow{.thread = 666});
                writer->intern("child");
                writer->flush();
                if (writer->close().rows != 0) return 1;
                writer.reset();
                const auto own = create(childPath);
                emit(*own, ThreadRow{.thread = round});
                return own->close().rows == 1 ? 0 : 2;
              }),
              0);
  }
  isDone = true;
  busy.join();
  emit(*writer, ThreadRow{.thread = 3});
  writer->close();
  int64_t rowsAfterTheForks = 0;
  for (const ThreadRow& row : read().rows<ThreadRow>()) {
    ASSERT_NE(row.thread, 666);
    rowsAfterTheForks += row.thread == 3;
  }
  EXPECT_EQ(rowsAfterTheForks, 1);
  EXPECT_EQ(TraceFile::open(childPath)->rowCount(TableId::kThread), 1u);
}

thread_local struct WritesWhenItsThreadEnds {
  FileWriter* writer = nullptr;
  ~WritesWhenItsThreadEnds() {
    if (writer != nullptr) emit(*writer, ThreadRow{.thread = 42, .name = writer->intern("late")});
  }
} writesWhenItsThreadEnds;

TEST_F(HostileProcess, AThreadMayWriteUntilItsVeryEnd) {
  const auto writer = create(path_);
  std::vector<std::thread> threads;
  for (int i = 0; i < 50; ++i) {
    threads.emplace_back([&] {
      writesWhenItsThreadEnds.writer = writer.get();
      emit(*writer, ThreadRow{.thread = 1});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(writer->close().rows, 100);
  EXPECT_EQ(read().rowCount(TableId::kThread), 100u);
}

TEST_F(HostileProcess, WithAnAddressSpaceTooSmallRowsAreCountedAndNothingIsThrown) {
  const int status = statusOfChild([&] {
    const auto writer = create(path_);
    writer->flush();
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = 1 << 20;
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 100;
    constexpr int64_t kRows = 3'000'000;
    for (int64_t i = 0; i < kRows; ++i) emit(*writer, OpRow{.startNs = i});
    const WriterSummary summary = writer->close();
    return summary.rows + summary.lost == kRows ? 0 : 1;
  });
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer needs more address space: status " << status;
#endif
  EXPECT_EQ(status, 0);
}

TEST_F(HostileProcess, AFileThatIsReplacedStaysWholeForWhoReadsIt) {
  create(path_)->close();
  const std::string before = readBytes(path_);
  const int reader = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  create(path_)->close();
  struct stat status {};
  ASSERT_EQ(fstat(reader, &status), 0);
  EXPECT_EQ(static_cast<size_t>(status.st_size), before.size());
  close(reader);
}

}  // namespace
}  // namespace jitscope::trace
