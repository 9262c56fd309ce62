#include <gtest/gtest.h>

#include "analyzer/report.h"
#include "analyzer/reports/timeline_svg.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

std::string htmlOf(std::string_view rows) {
  const analyzer::Run run = runOf(rows);
  return renderReport(run, analyze(run), ReportFormat::kHtml);
}

size_t countOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(HtmlReport, HoldsFindingsTablesAndBothPictures) {
  const std::string html = htmlOf(kServiceRows);
  EXPECT_EQ(countOf(html, "<svg"), 2U);
  EXPECT_EQ(countOf(html, "<details"), 7U);
  EXPECT_NE(html.find("Eager above compiled"), std::string::npos);
  EXPECT_NE(html.find("<td>[0] step</td>"), std::string::npos);
}

TEST(HtmlReport, LoadsNothing) {
  const std::string html = htmlOf(kServiceRows);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("href="), std::string::npos);
  EXPECT_EQ(countOf(html, "http"), countOf(html, "http-equiv"));
}

TEST(HtmlReport, EscapesWhatComesFromTheRecording) {
  const std::string html = htmlOf(R"rows(
frame frame=0 name="<script>alert(1)</script>" file="a\"onload=.cpp" line=1
call frame=0 attempt=0 at=1us..2us thread=1 outcome=hit
op at=1us..2us thread=1 name="</title><img>"
graph_break frame=0 at=1us..2us thread=1 is_first=1 reason="<b>&" stack="/<i>.cpp:3 f"
)rows");
  EXPECT_EQ(countOf(html, "<script>"), 1U);
  for (const char* markup : {"<img", "<b>", "<i>", "a\"onload"})
    EXPECT_EQ(html.find(markup), std::string::npos) << markup;
  EXPECT_NE(html.find("&lt;script&gt;alert(1)"), std::string::npos);
}

TEST(HtmlReport, ClosesWhatItOpens) {
  const std::string html = htmlOf(kServiceRows);
  for (const char* element :
       {"table", "thead", "tbody", "details", "dl", "svg", "figure", "body"}) {
    EXPECT_EQ(countOf(html, std::string("<") + element + ">") +
                  countOf(html, std::string("<") + element + " "),
              countOf(html, std::string("</") + element + ">"))
        << element;
  }
}

TEST(TimelineSvg, IsBoundedHoweverManySpansThereAre) {
  SvgRow row{"ops", {}};
  for (int64_t i = 0; i < 100'000; ++i) row.spans.push_back({10 * i, 10 * i + 5, "op", "x"});
  const std::string svg = timelineSvg({row}, 0, 1'000'000);
  EXPECT_LE(countOf(svg, "<rect"), 1001U);
  EXPECT_GT(countOf(svg, "<rect"), 900U);
}

}  // namespace
}  // namespace jitscope::analyzer
