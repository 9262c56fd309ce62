#include "analyzer/cli.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/analyzer/run_of_text.h"
#include "tests/support/one_line.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

struct Outcome {
  int status = -1;
  std::string output, errors;
};

Outcome report(const std::vector<std::string>& arguments) {
  std::ostringstream output, errors;
  Outcome outcome;
  outcome.status = reportCommand(arguments, output, errors);
  outcome.output = output.str();
  outcome.errors = errors.str();
  return outcome;
}

class ReportCommand : public testing::Test {
 protected:
  void SetUp() override { tests::writeTrace(trace_, kServiceRows); }

  /// Cuts the trace to a part of its size.
  void cutTo(double part) const {
    const auto size = static_cast<double>(std::filesystem::file_size(trace_));
    std::filesystem::resize_file(trace_, static_cast<uintmax_t>(size * part));
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path trace_ = folder_ / "run.jitscope";
};

TEST_F(ReportCommand, WritesTextByDefault) {
  const Outcome outcome = report({trace_.string()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_NE(outcome.output.find("Findings, worst first"), std::string::npos);
}

TEST_F(ReportCommand, WritesTheFormatThatIsAskedForToAFile) {
  const std::string file = (folder_ / "report.json").string();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{trace_.string(), "--format", "json", "-o", file},
        std::vector<std::string>{"--format=json", "--output=" + file, "--", trace_.string()}}) {
    std::filesystem::remove(file);
    const Outcome outcome = report(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
    std::ifstream stream(file);
    EXPECT_EQ(nlohmann::json::parse(stream)["schema"], 1);
  }
}

TEST_F(ReportCommand, TakesAFolderAsOneRun) {
  tests::writeTrace(folder_ / "second.jitscope", kServiceRows);
  const Outcome outcome = report({folder_.path().string()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("2 processes"), std::string::npos);
}

struct UsageCase {
  std::string name;
  std::vector<std::string> arguments;
  std::string words;
};

class ReportUsage : public testing::TestWithParam<UsageCase> {};

TEST_P(ReportUsage, IsToldInOneLine) {
  const Outcome outcome = report(GetParam().arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.output, "");
  EXPECT_TRUE(tests::isOneLine(outcome.errors)) << outcome.errors;
  EXPECT_NE(outcome.errors.find(GetParam().words), std::string::npos) << outcome.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ReportUsage,
    testing::Values(UsageCase{"NoPath", {}, "no PATH"}, UsageCase{"TwoPaths", {"a", "b"}, "'b'"},
                    UsageCase{"EmptyPath", {""}, "PATH is empty"},
                    UsageCase{
                        "MisspelledOption", {"a", "--fromat", "json"}, "did you mean '--format'"},
                    UsageCase{"UnknownOption", {"a", "--zzzzzzzzzzzz"}, "known are --format"},
                    UsageCase{"MisspelledFormat", {"a", "--format", "jsn"}, "did you mean 'json'"},
                    UsageCase{"FormatWithoutValue", {"a", "--format"}, "--format needs a value"},
                    UsageCase{"OutputWithoutValue", {"a", "-o"}, "-o needs a value"}),
    [](const auto& info) { return info.param.name; });

TEST(ReportHelp, IsNoMistake) {
  const Outcome outcome = report({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output.find("usage: jitscope report PATH"), 0U);
}

TEST_F(ReportCommand, TellsBadInputInOneLine) {
  const std::string empty = (folder_ / "empty.jitscope").string();
  const std::string foreign = (folder_ / "foreign.jitscope").string();
  std::ofstream(empty).flush();
  std::ofstream(foreign) << "this is not a trace, but long enough to hold a header of one";
  std::filesystem::create_directory(folder_ / "without_traces");
  for (const std::string& path : {empty, foreign, (folder_ / "absent.jitscope").string(),
                                  (folder_ / "without_traces").string()}) {
    const Outcome outcome = report({path});
    EXPECT_EQ(outcome.status, 3) << path;
    EXPECT_EQ(outcome.output, "") << path;
    EXPECT_TRUE(tests::isOneLine(outcome.errors)) << outcome.errors;
    EXPECT_EQ(outcome.errors.find(path + ": "), 0U) << outcome.errors;
  }
}

TEST_F(ReportCommand, ReportsACutFileAsFarAsItGoes) {
  for (const double part : {0.9, 0.7, 0.5}) {
    SetUp();
    cutTo(part);
    const Outcome outcome = report({trace_.string(), "--format", "json"});
    ASSERT_EQ(outcome.status, 3) << part;
    EXPECT_TRUE(tests::isOneLine(outcome.errors)) << outcome.errors;
    EXPECT_EQ(outcome.errors.find(trace_.string() + ": "), 0U) << outcome.errors;
    const nlohmann::json json = nlohmann::json::parse(outcome.output);
    EXPECT_FALSE(json["losses"].empty());
  }
}

TEST_F(ReportCommand, ReportsTheGoodFilesBesideABadOne) {
  const std::string bad = (folder_ / "bad.jitscope").string();
  std::ofstream(bad) << "this is not a trace, but long enough to hold a header of one";
  const Outcome outcome = report({folder_.path().string()});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.errors.find(bad + ": "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.output.find("Findings, worst first"), std::string::npos);
}

TEST_F(ReportCommand, DoesNotWriteOverTheRecording) {
  const std::filesystem::path link = folder_ / "link";
  std::filesystem::create_symlink(trace_, link);
  const auto size = std::filesystem::file_size(trace_);
  for (const std::string& input : {trace_.string(), folder_.path().string()}) {
    for (const std::string& output : {trace_.string(), link.string()}) {
      const Outcome outcome = report({input, "-o", output});
      EXPECT_EQ(outcome.status, 2);
      EXPECT_TRUE(tests::isOneLine(outcome.errors)) << outcome.errors;
      EXPECT_NE(outcome.errors.find("is the recording itself"), std::string::npos);
      EXPECT_EQ(std::filesystem::file_size(trace_), size);
    }
  }
}

TEST_F(ReportCommand, TellsABadPathInOneLineWhateverItsName) {
  const Outcome outcome = report({(folder_ / "two\nlines").string()});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_TRUE(tests::isOneLine(outcome.errors)) << outcome.errors;
}

TEST_F(ReportCommand, SaysWhenTheOutputCannotBeWritten) {
  const std::string file = (folder_ / "no such folder" / "report.txt").string();
  const Outcome outcome = report({trace_.string(), "-o", file});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(tests::isOneLine(outcome.errors)) << outcome.errors;
  EXPECT_NE(outcome.errors.find(file + ": cannot write"), std::string::npos);
}

TEST_F(ReportCommand, SaysWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Outcome outcome = report({trace_.string(), "-o", "/dev/full"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("/dev/full: cannot write"), std::string::npos) << outcome.errors;
}

TEST_F(ReportCommand, EndsQuietlyWhenItsReaderHasGone) {
  const std::vector<std::string> arguments{trace_.string()};
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int ends[2];
    if (pipe(ends) != 0) _exit(99);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    _exit(reportCommand(arguments));
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace jitscope::analyzer
