#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "analyzer/cli.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

constexpr const char* kEndlessRows =
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c";

/// Runs `command` in a process of its own, in which `prepare` ran first.
pid_t start(int (*command)(std::span<const std::string>), const std::vector<std::string>& arguments,
            const std::function<void()>& prepare) {
  const pid_t child = fork();
  if (child != 0) return child;
  prepare();
  _exit(command(arguments));
}

/// The status as a shell has it: 128 and the signal, where one ended the process.
int statusOf(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void hideErrors() { dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); }

class QueryProcess : public testing::Test {
 protected:
  void SetUp() override {
    tests::writeTrace(trace_, "op at=1us..2us thread=1 name=\"aten::mm\"\n");
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path trace_ = folder_ / "run.jitscope", answer_ = folder_ / "answer.csv";
};

TEST_F(QueryProcess, OfAnEndlessAnswerEndsWhenItsReaderHasGone) {
  for (const char* form : {"csv", "json"}) {
    const pid_t child = start(queryCommand, {trace_.string(), kEndlessRows, "--format", form}, [] {
      int ends[2];
      if (pipe(ends) != 0) _exit(99);
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
    });
    EXPECT_EQ(statusOf(child), 0) << form;
  }
}

TEST_F(QueryProcess, EndsOfCtrlCWithoutHalfAnAnswer) {
  const pid_t child =
      start(queryCommand,
            {trace_.string(), kEndlessRows, "--format", "csv", "-o", answer_.string()}, hideErrors);
  const std::filesystem::path unfinished = answer_.string() + ".unfinished";
  std::error_code absent;
  // When rows have been written, the query is under way.
  while (std::filesystem::file_size(unfinished, absent) == 0 || absent) {
    ASSERT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "ended before it wrote anything";
    sched_yield();
  }
  kill(child, SIGINT);
  EXPECT_EQ(statusOf(child), 128 + SIGINT);
  EXPECT_FALSE(std::filesystem::exists(answer_));
}

struct ClosedCase {
  std::string name;
  int (*command)(std::span<const std::string>);
  std::vector<std::string> words;
};

class ClosedOutput : public QueryProcess, public testing::WithParamInterface<ClosedCase> {};

TEST_P(ClosedOutput, IsToldWithAStatus) {
  std::vector<std::string> arguments{trace_.string()};
  arguments.insert(arguments.end(), GetParam().words.begin(), GetParam().words.end());
  const pid_t closed = start(GetParam().command, arguments, [] {
    hideErrors();
    close(STDOUT_FILENO);
  });
  EXPECT_EQ(statusOf(closed), 2);
  const pid_t full = start(GetParam().command, arguments, [] {
    hideErrors();
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
  });
  EXPECT_EQ(statusOf(full), 2);
}

INSTANTIATE_TEST_SUITE_P(
    All, ClosedOutput,
    testing::Values(ClosedCase{"Report", reportCommand, {}},
                    ClosedCase{"Html", reportCommand, {"--format", "html"}},
                    ClosedCase{"Query", queryCommand, {"SELECT * FROM op"}},
                    ClosedCase{"EndlessQuery", queryCommand, {kEndlessRows, "--format", "csv"}},
                    ClosedCase{"Check", checkCommand, {"--limit", "graph_breaks=0"}},
                    ClosedCase{"Help", queryCommand, {"--help"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace jitscope::analyzer
