#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analyzer/cli.h"
#include "tests/analyzer/device_rows.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

using Arguments = std::vector<std::string>;

struct Outcome {
  int status = -1;
  std::string output, errors;
};

Outcome run(int (*command)(std::span<const std::string>, std::ostream&, std::ostream&),
            const Arguments& arguments) {
  std::ostringstream output, errors;
  Outcome outcome;
  outcome.status = command(arguments, output, errors);
  outcome.output = output.str();
  outcome.errors = errors.str();
  return outcome;
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RunCommands : public testing::Test {
 protected:
  void SetUp() override { tests::writeTrace(trace_, kDeviceRows); }

  tests::TemporaryFolder folder_;
  std::filesystem::path trace_ = folder_ / "run.jitscope";
};

TEST_F(RunCommands, QueryWritesNoFileOfAnAnswerThatFails) {
  const std::filesystem::path target = folder_ / "answer.csv";
  std::ofstream(target) << "before";
  const Outcome outcome =
      run(queryCommand, {trace_.string(), "SELECT 1 UNION ALL SELECT abs(-9223372036854775808)",
                         "--format", "csv", "-o", target.string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("integer overflow"), std::string::npos) << outcome.errors;
  EXPECT_EQ(contentOf(target), "before");
}

TEST_F(RunCommands, QueryTakesItsBounds) {
  const std::string sql = "SELECT name FROM thread UNION ALL SELECT 'b' UNION ALL SELECT 'c'";
  EXPECT_EQ(run(queryCommand, {trace_.string(), sql, "--limit", "1", "--format=csv"}).output,
            "name\n\"main, \"\"first\"\"\"\n");
  const std::string all = run(queryCommand, {trace_.string(), sql, "--limit", "0"}).output;
  EXPECT_NE(all.find("  c\n"), std::string::npos) << all;
  for (const char* wrong : {"-1", "x", ""})
    EXPECT_EQ(run(queryCommand, {trace_.string(), sql, "--limit", wrong}).status, 2) << wrong;
  for (const char* wrong : {"1 kB", "many"})
    EXPECT_EQ(run(queryCommand, {trace_.string(), sql, "--most-memory", wrong}).status, 2) << wrong;
  const char* const hoarding =
      "WITH RECURSIVE c(x) AS (SELECT randomblob(1000) UNION ALL SELECT randomblob(1000) FROM c, "
      "(SELECT 1 UNION ALL SELECT 2)) SELECT count(*) FROM c";
  const Outcome outcome = run(queryCommand, {trace_.string(), hoarding, "--most-memory", "8MiB"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("grouped, or allow more with --most-memory\n"), std::string::npos)
      << outcome.errors;
}

TEST_F(RunCommands, ExportsATableAFileAsCsv) {
  const std::filesystem::path target = folder_ / "csv";
  const Outcome outcome =
      run(exportCommand, {trace_.string(), "--to", "csv", "-o", target.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(contentOf(target / "thread.csv"), "process,thread,name\n0,1,\"main, \"\"first\"\"\"\n");
  EXPECT_FALSE(std::filesystem::exists(target / "counter.csv"));
  const Outcome again = run(exportCommand, {trace_.string(), "--to", "csv", "-o", target.string()});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.errors.find("is there already"), std::string::npos);
}

TEST_F(RunCommands, ExportsADatabaseThatAnswers) {
  const std::filesystem::path target = folder_ / "run.db";
  const Outcome outcome =
      run(exportCommand, {trace_.string(), "--to", "sqlite", "-o", target.string()});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(contentOf(target).substr(0, 15), "SQLite format 3");
}

TEST_F(RunCommands, ExportNeedsAFormatAndATarget) {
  EXPECT_EQ(run(exportCommand, {trace_.string(), "-o", "x"}).status, 2);
  EXPECT_EQ(run(exportCommand, {trace_.string(), "--to", "chrome"}).status, 2);
  const Outcome outcome = run(exportCommand, {trace_.string(), "--to", "chrme", "-o", "x"});
  EXPECT_NE(outcome.errors.find("did you mean 'chrome'"), std::string::npos) << outcome.errors;
  const Outcome over =
      run(exportCommand, {trace_.string(), "--to", "chrome", "-o", trace_.string()});
  EXPECT_EQ(over.status, 2);
  EXPECT_NE(over.errors.find("is the recording itself"), std::string::npos);
}

TEST_F(RunCommands, QueryAnswersInThreeForms) {
  const std::string sql =
      "SELECT p.rank, k.name, k.end_ns - k.start_ns AS ns FROM kernel k JOIN process p USING "
      "(process)";
  const Outcome table = run(queryCommand, {trace_.string(), sql});
  EXPECT_EQ(table.status, 0) << table.errors;
  EXPECT_EQ(table.output, "  rank  name     ns\n     0  gemm  11000\n");
  EXPECT_EQ(run(queryCommand, {trace_.string(), sql, "--format", "csv"}).output,
            "rank,name,ns\n0,gemm,11000\n");
  const nlohmann::json json =
      nlohmann::json::parse(run(queryCommand, {trace_.string(), sql, "--format=json"}).output);
  EXPECT_EQ(json, nlohmann::json::parse(R"([{"rank": 0, "name": "gemm", "ns": 11000}])"));
}

TEST_F(RunCommands, QueryKeepsColumnsOfTheSameName) {
  const Outcome outcome =
      run(queryCommand,
          {trace_.string(), "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a, 5 AS b", "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.output),
            nlohmann::json::parse(R"([{"a": 1, "a_3": 2, "a_2": 3, "a_4": 4, "b": 5}])"))
      << outcome.output;
}

TEST_F(RunCommands, QueryTakesWhatIsNoStatementBehindOne) {
  for (const char* end : {"", ";", "; -- hi", "; /* a */ ; -- b", " ;\n\t;"}) {
    const Outcome outcome =
        run(queryCommand, {trace_.string(), std::string("SELECT 1 AS x") + end, "--format=csv"});
    EXPECT_EQ(outcome.output, "x\n1\n") << end << outcome.errors;
  }
  for (const char* end : {"; SELECT 2", "; -- hi\nSELECT 2", ";; DELETE FROM finding", "; what"}) {
    const Outcome outcome = run(queryCommand, {trace_.string(), std::string("SELECT 1") + end});
    EXPECT_EQ(outcome.status, 2) << end;
    EXPECT_NE(outcome.errors.find("one statement only"), std::string::npos) << outcome.errors;
  }
}

TEST_F(RunCommands, QueryNamesTheTablesThatThereAre) {
  const Outcome absent = run(queryCommand, {trace_.string(), "SELECT * FROM kernels"});
  const Outcome help = run(queryCommand, {"--help"});
  for (const char* table : {"finding", "kernel", "graph_break", "guard_failure", "process"}) {
    EXPECT_NE(absent.errors.find(table), std::string::npos) << absent.errors;
    EXPECT_NE(help.output.find(table), std::string::npos) << help.output;
  }
}

TEST_F(RunCommands, DiffTakesAFrameThatOnlyOneRunHas) {
  const std::filesystem::path other = folder_ / "other.jitscope";
  tests::writeTrace(other, R"(
process pid=10
frame   frame=0 name="decode" file="step.py" line=3
call    frame=0 attempt=0 at=1000us..1100us thread=1 outcome=hit
)");
  for (const char* frame : {"step", "decode"}) {
    const Outcome outcome = run(diffCommand, {trace_.string(), other.string(), "--frame", frame});
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  }
  const Outcome neither = run(diffCommand, {trace_.string(), other.string(), "--frame", "decod"});
  EXPECT_EQ(neither.status, 3);
  EXPECT_NE(neither.errors.find("did you mean 'decode'"), std::string::npos) << neither.errors;
}

TEST_F(RunCommands, QueryKnowsTheFindings) {
  const Outcome outcome =
      run(queryCommand,
          {trace_.string(), "SELECT count FROM finding WHERE kind = 'graph_break' AND line = 3",
           "--format", "csv"});
  EXPECT_EQ(outcome.output, "count\n1\n") << outcome.errors;
}

TEST_F(RunCommands, QueryRefusesWhatIsNoReading) {
  for (const char* sql :
       {"CREATE TABLE x (y)", "DELETE FROM finding", "ATTACH 'x.db' AS x", "PRAGMA journal_mode",
        "SELECT load_extension('x')", "SELECT 1; SELECT 2", "SELECT nothing FROM kernel", "what"}) {
    const Outcome outcome = run(queryCommand, {trace_.string(), sql});
    EXPECT_EQ(outcome.status, 2) << sql;
    EXPECT_EQ(outcome.output, "") << sql;
    EXPECT_FALSE(outcome.errors.empty()) << sql;
  }
}

TEST_F(RunCommands, DiffTakesTwoRuns) {
  const Outcome outcome = run(diffCommand, {trace_.string(), trace_.string()});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("No difference"), std::string::npos) << outcome.output;
  EXPECT_EQ(run(diffCommand, {trace_.string()}).status, 2);
  EXPECT_EQ(run(diffCommand, {trace_.string(), trace_.string(), "c"}).status, 2);
  EXPECT_EQ(run(diffCommand, {trace_.string(), "absent"}).status, 3);
  const Outcome format = run(diffCommand, {trace_.string(), trace_.string(), "--format", "jsn"});
  EXPECT_NE(format.errors.find("did you mean 'json'"), std::string::npos) << format.errors;
}

TEST_F(RunCommands, FiltersAreTakenByAll) {
  const Outcome report = run(reportCommand, {trace_.string(), "--since", "20us", "--format=json"});
  EXPECT_EQ(nlohmann::json::parse(report.output)["run"]["calls"], 0);
  EXPECT_EQ(run(reportCommand, {trace_.string(), "--rank", "3"}).status, 3);
  EXPECT_EQ(run(reportCommand, {trace_.string(), "--frame", "stp"}).status, 3);
  const Outcome meant = run(reportCommand, {trace_.string(), "--frame", "stp"});
  EXPECT_NE(meant.errors.find("did you mean 'step'"), std::string::npos) << meant.errors;
  for (const Arguments& wrong : {Arguments{"--rank", "x"}, Arguments{"--since", "soon"},
                                 Arguments{"--most-unpacked", "4 X"}, Arguments{"--top", "0"}}) {
    Arguments arguments{trace_.string()};
    arguments.insert(arguments.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(run(reportCommand, arguments).status, 2) << wrong[0];
  }
}

TEST_F(RunCommands, CheckOptionsAreKnownToRecord) {
  EXPECT_EQ(checkOptionTakesValue("--limit"), true);
  EXPECT_EQ(checkOptionTakesValue("--github"), false);
  EXPECT_EQ(checkOptionTakesValue("-o"), std::nullopt);
  EXPECT_EQ(checkOptionTakesValue("--help"), std::nullopt);
}

}  // namespace
}  // namespace jitscope::analyzer
