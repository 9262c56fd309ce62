#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

/// What a person who asked for help with a trace should have been told.
struct TraceCase {
  std::string file;
  std::string id;
  int64_t count = 0;
  std::vector<std::string> words;  ///< in title, cause or fix
};

class TraceCases : public testing::TestWithParam<TraceCase> {};

TEST_P(TraceCases, GetTheRightAnswer) {
  const TraceCase& expected = GetParam();
  const trace::Result<analyzer::Run> run =
      loadRun(std::string(JITSCOPE_SOURCE_FOLDER "/tests/traces/import/") + expected.file);
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  std::string ids;
  for (const Finding& finding : analysis.findings) ids += finding.id + "\n";
  const auto found =
      std::find_if(analysis.findings.begin(), analysis.findings.end(),
                   [&](const Finding& finding) { return finding.id == expected.id; });
  ASSERT_NE(found, analysis.findings.end()) << ids;
  EXPECT_EQ(found->count(), expected.count);
  const std::string told =
      found->advice.title + "\n" + found->advice.cause + "\n" + found->advice.fix;
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << "\n" << told;
}

TEST(Verdict, OfATraceThatTellsNoCompilesPraisesNothing) {
  const tests::TemporaryFolder folder;
  const auto verdictOf = [&](const char* events) {
    std::ofstream(folder / "trace.json") << "{\"traceEvents\": [" << events << "]}";
    const trace::Result<analyzer::Run> run = loadRun(folder / "trace.json");
    return run ? analyze(*run).verdict : run.error().text;
  };
  const std::string compiled = verdictOf(
      R"({"ph": "X", "cat": "cpu_op", "name": "Torch-Compiled Region: 0/0", "pid": 1, "tid": 1,
          "ts": 1, "dur": 5, "args": {}},
         {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 1,
          "args": {}})");
  const std::string eager = verdictOf(
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 2, "dur": 1,
          "args": {}})");
  for (const std::string& verdict : {compiled, eager}) {
    EXPECT_EQ(verdict.find("Nothing"), std::string::npos) << verdict;
    EXPECT_NE(verdict.find("tell neither graph breaks nor recompiles"), std::string::npos)
        << verdict;
    EXPECT_NE(verdict.find("jitscope record"), std::string::npos) << verdict;
  }
  EXPECT_TRUE(compiled.starts_with("1 call of") || compiled.starts_with("1 run of")) << compiled;
  EXPECT_TRUE(eager.starts_with("No compiled callable among 1 operator and")) << eager;
}

INSTANTIATE_TEST_SUITE_P(
    Threads, TraceCases,
    testing::Values(
        TraceCase{"inf_bandwidth.json",
                  "recording/damaged_file/bare_words",
                  1,
                  {"not valid JSON", "not finite", "newer torch"}},
        TraceCase{
            "na_unquoted.json", "recording/damaged_file/bare_words", 1, {"N/A", "newer torch"}},
        TraceCase{"control_char.json",
                  "recording/damaged_file/control_characters",
                  3,
                  {"freed already", "newer torch", "with_stack"}},
        TraceCase{
            "windows_backslash.json", "recording/damaged_file/backslashes", 4, {"Windows paths"}},
        TraceCase{"negative_dur.json",
                  "recording/negative_duration",
                  1,
                  {"end stamp", "no span explodes"}},
        TraceCase{"negative_launch_latency.json",
                  "recording/clock_skew",
                  8,
                  {"median lead is 1.00 µs", "by its correlation"}},
        TraceCase{"no_correlation_amd.json", "recording/no_correlation", 2, {"External id"}},
        TraceCase{"trailing_comma_no_close.json",
                  "recording/damaged_file/not_closed",
                  1,
                  {"all events that are there were read"}}),
    [](const auto& info) { return info.param.file.substr(0, info.param.file.find('.')); });

}  // namespace
}  // namespace jitscope::analyzer
