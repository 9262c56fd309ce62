#include "analyzer/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/analyzer/run_of_text.h"
#include "tests/support/golden.h"

namespace jitscope::analyzer {
namespace {

std::string reportOf(const std::vector<std::string_view>& processes, ReportFormat format) {
  const analyzer::Run run = runOf(processes);
  return renderReport(run, analyze(run), format);
}

TEST(Report, TextOfAServiceIsAsReviewed) {
  tests::expectGolden("tests/analyzer/golden/service.txt",
                      reportOf({kServiceRows}, ReportFormat::kText));
}

TEST(Report, MarkdownOfAServiceIsAsReviewed) {
  tests::expectGolden("tests/analyzer/golden/service.md",
                      reportOf({kServiceRows}, ReportFormat::kMarkdown));
}

TEST(Report, JsonOfAServiceIsAsReviewed) {
  tests::expectGolden("tests/analyzer/golden/service.json",
                      reportOf({kServiceRows}, ReportFormat::kJson));
}

TEST(Report, TextOfTwoProcessesIsAsReviewed) {
  tests::expectGolden("tests/analyzer/golden/two_processes.txt",
                      reportOf({kServiceRows, kServiceRows}, ReportFormat::kText));
}

TEST(Report, TextOfAnEmptyRecordingIsAsReviewed) {
  tests::expectGolden("tests/analyzer/golden/empty.txt", reportOf({""}, ReportFormat::kText));
}

TEST(Report, TextOfARunThatNeedsNothingIsAsReviewed) {
  constexpr std::string_view kRows = R"(
frame frame=0 name="mlp" file="mlp.cpp" line=5
compile frame=0 attempt=0 at=0us..50us thread=1 trigger="first call"
call frame=0 attempt=0 at=0us..60us thread=1 outcome=compiled
call frame=0 attempt=0 at=100us..110us thread=1 outcome=hit
)";
  tests::expectGolden("tests/analyzer/golden/nothing_to_mend.txt",
                      reportOf({kRows}, ReportFormat::kText));
}

TEST(Report, JsonMendsTextThatIsNoUtf8) {
  const std::string report = reportOf({"frame frame=0 name=\"\xff\xfe\""}, ReportFormat::kJson);
  const nlohmann::json json = nlohmann::json::parse(report);
  EXPECT_EQ(json["frames"][0]["name"], "\uFFFD\uFFFD");
}

TEST(Report, TextObeysNoEscapesOfTheRecording) {
  const std::string report =
      reportOf({"frame frame=0 name=\"a\x1b[2Jb\"\n"
                "graph_break frame=0 at=1us..2us is_first=1 reason=\"\x1b]0;x\x07\"\n"},
               ReportFormat::kText);
  EXPECT_EQ(report.find('\x1b'), std::string::npos);
  EXPECT_NE(report.find("a?[2Jb"), std::string::npos) << report;
}

TEST(Report, TextHasColourWhereItIsAskedFor) {
  const analyzer::Run run = runOf(kServiceRows);
  const Analysis analysis = analyze(run);
  const std::string plain = renderReport(run, analysis, ReportFormat::kText);
  const std::string coloured =
      renderReport(run, analysis, ReportFormat::kText, {.hasColour = true, .mostFindings = 2});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_NE(coloured.find("\x1b[1;31m1. recompile"), std::string::npos) << coloured;
  EXPECT_NE(coloured.find("and 5 more"), std::string::npos);
}

TEST(Report, LeavesArgumentsOfTemplatesOutOfPlaces) {
  const std::string report = reportOf({R"rows(
graph_break frame=0 at=1us..2us is_first=1 reason="x" stack="/a.cpp:3 serve<std::vector<int> >(int)"
graph_break frame=1 at=3us..4us is_first=1 reason="x" stack="/a.cpp:4 less::operator<(int)"
)rows"},
                                      ReportFormat::kText);
  EXPECT_NE(report.find("/a.cpp:3 in serve<…>(int)"), std::string::npos) << report;
  EXPECT_NE(report.find("/a.cpp:4 in less::operator<(int)"), std::string::npos) << report;
}

TEST(Report, FormatsAreKnownByName) {
  EXPECT_EQ(reportFormat("text"), ReportFormat::kText);
  EXPECT_EQ(reportFormat("json"), ReportFormat::kJson);
  EXPECT_EQ(reportFormat("markdown"), ReportFormat::kMarkdown);
  EXPECT_EQ(reportFormat("html"), ReportFormat::kHtml);
  EXPECT_EQ(reportFormat("pdf"), std::nullopt);
}

}  // namespace
}  // namespace jitscope::analyzer
