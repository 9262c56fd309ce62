#include <gtest/gtest.h>

#include <algorithm>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

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
