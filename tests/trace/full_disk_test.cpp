#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "tests/support/temporary_folder.h"
#include "tests/trace/child_process.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

struct Outcome {
  WriterSummary summary;
  int64_t rowsWritten = 0;
};

class FullDisk : public ::testing::Test {
 protected:
  /// Writes rows that do not pack well until at least some are lost and more than `leastRows` are
  /// through.
  static Outcome writeTooMuch(const std::filesystem::path& path, int64_t leastRows) {
    const auto writer = std::move(*FileWriter::create(path));
    uint64_t noise = 88172645463325252;
    Outcome outcome;
    for (; outcome.rowsWritten < leastRows; ++outcome.rowsWritten) {
      noise ^= noise << 13, noise ^= noise >> 7, noise ^= noise << 17;
      const auto cell = static_cast<int64_t>(noise);
      emit(*writer, CounterRow{.startNs = cell, .endNs = ~cell, .device = cell ^ 3});
      if (outcome.rowsWritten % 1000 == 0) {
        writer->intern(std::string(200, 'x') + std::to_string(noise));
        writer->flush();
      }
    }
    outcome.summary = writer->close();
    return outcome;
  }

  static void expectCleanEnd(const std::filesystem::path& path, const Outcome& outcome,
                             const std::string& reason) {
    EXPECT_GT(outcome.summary.lost, 0);
    EXPECT_EQ(outcome.summary.rows + outcome.summary.lost, outcome.rowsWritten);
    const Result<TraceFile> file = TraceFile::open(path);
    ASSERT_TRUE(file) << file.error().text;
    EXPECT_TRUE(file->losses().empty());
    EXPECT_TRUE(file->isComplete());
    EXPECT_EQ(static_cast<int64_t>(file->rowCount(TableId::kCounter)), outcome.summary.rows);
    int64_t counted = 0;
    for (const LossRow& row : file->rows<LossRow>()) {
      if (row.kind != LossKind::kDropped) continue;
      EXPECT_EQ(file->text(row.text), reason);
      EXPECT_EQ(file->text(row.place), "trace writer");
      counted += row.amount;
    }
    EXPECT_EQ(counted, outcome.summary.lost);
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.jitscope";
  SharedWithChild<Outcome> outcome_;
};

TEST_F(FullDisk, CreatingOnAFullDeviceIsAnError) {
  const Result<std::unique_ptr<FileWriter>> writer = FileWriter::create("/dev/full");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().text,
            "/dev/full: cannot be created: something other than a file is there, name another "
            "file");
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST_F(FullDisk, CreatingWhereNothingCanBeWrittenIsAnError) {
  const Result<std::unique_ptr<FileWriter>> writer = FileWriter::create("/proc/absent/t.jitscope");
  ASSERT_FALSE(writer);
  EXPECT_EQ(
      writer.error().text,
      "/proc/absent/t.jitscope: cannot be created: no such file or directory, name a file in a "
      "folder that is there");
}

TEST_F(FullDisk, CreatingWithoutRoomForTheHeaderIsAnErrorAndNoSignal) {
  const int status = statusOfChild([&] {
    const rlimit limit{10, 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    const Result<std::unique_ptr<FileWriter>> writer = FileWriter::create(path_);
    return writer ? 1
                  : static_cast<int>(writer.error().text.find(
                                         "file too large, allow larger files (ulimit -f)") ==
                                     std::string::npos);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(FullDisk, AtTheFileSizeLimitTheFileEndsCleanlyAndNoSignalComes) {
  const int status = statusOfChild([&] {
    const rlimit limit{300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);  // SIGXFSZ keeps its deadly default
    *outcome_.operator->() = writeTooMuch(path_, 60'000);
    return 0;
  });
  ASSERT_EQ(status, 0);
  EXPECT_LE(outcome_->summary.bytes, 300'000);
  EXPECT_GT(outcome_->summary.bytes, 200'000);
  expectCleanEnd(path_, *outcome_.operator->(), "file too large, allow larger files (ulimit -f)");
}

TEST_F(FullDisk, OnAFullDiskTheFileEndsCleanly) {
  constexpr int kNoMount = 77;
  const int status = statusOfChild([&] {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder_.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
      return kNoMount;
    }
    const Outcome outcome = writeTooMuch(path_, 60'000);
    expectCleanEnd(path_, outcome,
                   "no space left on device, make room on the disk, or name a file on another");
    return ::testing::Test::HasFailure() ? 1 : 0;
  });
  if (WEXITSTATUS(status) == kNoMount) GTEST_SKIP() << "a small file system cannot be mounted here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace jitscope::trace
