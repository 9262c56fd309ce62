#include "trace/trace_path.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "tests/support/temporary_folder.h"
#include "tests/trace/child_process.h"
#include "tests/trace/trace_bytes.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

/// Runs `body` in a child for as long as one lives; the child is killed then.
class RunningChild {
 public:
  explicit RunningChild(const std::function<void()>& body) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      body();
      static_cast<void>(!::write(ends[1], "x", 1));
      for (;;) pause();
    }
    close(ends[1]);
    char ready = 0;
    static_cast<void>(!::read(ends[0], &ready, 1));
    close(ends[0]);
  }
  ~RunningChild() { end(); }
  RunningChild(const RunningChild&) = delete;
  RunningChild& operator=(const RunningChild&) = delete;

  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
};

class TracePath : public ::testing::Test {
 protected:
  void writeRows(int64_t rows) const {
    writer_ = std::move(*FileWriter::create(path_)).release();
    for (int64_t i = 0; i < rows; ++i) emit(*writer_, ThreadRow{.thread = i});
    writer_->flush();
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.jitscope";
  std::filesystem::path beside_ = folder_.path() / ("t-" + std::to_string(getpid()) + ".jitscope");
  mutable FileWriter* writer_ = nullptr;  // of a child, which is killed
};

TEST_F(TracePath, OfARunningProcessIsNotTakenByAnother) {
  RunningChild child([&] { writeRows(3); });
  EXPECT_TRUE(isBeingWritten(path_));
  EXPECT_EQ(tracePathFor(path_), beside_);
  const auto refused = FileWriter::create(path_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text,
            path_.string() +
                ": cannot be created: another trace is being written there, name another file");
  EXPECT_EQ(TraceFile::open(path_)->rowCount(TableId::kThread), 3u);
}

TEST_F(TracePath, IsFreeWhenItsProcessWasKilled) {
  RunningChild child([&] { writeRows(3); });
  child.end();
  EXPECT_FALSE(isBeingWritten(path_));
  EXPECT_EQ(tracePathFor(path_), path_);
  EXPECT_TRUE(FileWriter::create(path_));
}

TEST_F(TracePath, IsFreeWhenTheTraceWasClosedAlthoughAForkedChildHasTheDescriptor) {
  RunningChild child([&] {
    writeRows(3);
    const pid_t parent = getpid();
    if (fork() != 0) {
      writer_->close();
      return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A parent that ended before the line above sends no signal any more.
    while (getppid() == parent) pause();
    _exit(0);
  });
  EXPECT_FALSE(isBeingWritten(path_));
}

TEST_F(TracePath, IsStillTakenAfterItsDescriptorWasClosed) {
  RunningChild child([&] {
    writeRows(3);
    for (int number = 700; number < 1024; ++number) close(number);
    emit(*writer_, ThreadRow{.thread = 4});
    writer_->flush();
  });
  EXPECT_TRUE(isBeingWritten(path_));
}

TEST_F(TracePath, OfTheProgramThatThisProcessWasBeforeAnExecIsKept) {
  std::move(*FileWriter::create(path_))->close();
  EXPECT_FALSE(isBeingWritten(path_));
  EXPECT_EQ(tracePathFor(path_), beside_);
}

TEST_F(TracePath, OfAnEndedProcessIsReplaced) {
  ASSERT_EQ(statusOfChild([&] {
              writeRows(1);
              writer_->close();
              return 0;
            }),
            0);
  EXPECT_EQ(tracePathFor(path_), path_);
}

TEST_F(TracePath, IsTheWantedOneWhateverElseStandsThere) {
  EXPECT_EQ(tracePathFor(path_), path_);
  writeBytes(path_, "my thesis");
  EXPECT_EQ(tracePathFor(path_), path_);
  EXPECT_EQ(tracePathFor("/dev/null"), "/dev/null");
  EXPECT_EQ(tracePathFor(folder_.path()), folder_.path());
}

}  // namespace
}  // namespace jitscope::trace
