#include <gtest/gtest.h>

#include <set>

#include "analyzer/report.h"
#include "analyzer/reports/timeline_svg.h"
#include "analyzer/units.h"
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

/// A run whose names are all long, and show in tables, pictures and findings.
std::string rowsOfLongNames(size_t length, int count) {
  const std::string name(length, 'n');
  std::string rows = "frame frame=0 name=\"" + name + "\" file=\"/src/a.cpp\" line=1\n";
  for (int i = 0; i < count; ++i) {
    const std::string at = std::to_string(100 * i) + "us.." + std::to_string(100 * i + 50) + "us";
    rows += "call frame=0 attempt=" + std::to_string(i) + " at=" + at +
            " thread=1 outcome=compiled\ncompile frame=0 attempt=" + std::to_string(i) +
            " at=" + at + " thread=1 trigger=\"" + name + "\"\nop at=" + at + " thread=1 name=\"" +
            name + "\"\nkernel at=" + at + " name=\"" + name + "\"\n";
  }
  rows += "graph_break frame=0 at=1us..2us thread=1 is_first=1 reason=\"" + name +
          "\" stack=\"/a.cpp:3 f\"\n";
  return rows;
}

TEST(HtmlReport, HoldsALongTextOnceHoweverOftenItShows) {
  const std::string html = htmlOf(rowsOfLongNames(5000, 300));
  std::multiset<std::string> texts;
  for (size_t at = 0; (at = html.find("<li>", at)) != std::string::npos;) {
    const size_t end = html.find("</li>", at);
    texts.insert(html.substr(at, end - at));
    at = end;
  }
  EXPECT_FALSE(texts.empty());
  for (const std::string& text : texts) EXPECT_EQ(texts.count(text), 1U);
  EXPECT_GT(countOf(html, "data-text=\"1\""), 0U);
  EXPECT_LT(html.size(), 400'000U);  // 300 rows of such names are 1.5 MB
}

TEST(HtmlReport, IsBoundedHoweverLongItsTexts) {
  for (const ReportFormat format :
       {ReportFormat::kHtml, ReportFormat::kText, ReportFormat::kMarkdown}) {
    const analyzer::Run run = runOf(rowsOfLongNames(1'000'000, 8));
    EXPECT_LT(renderReport(run, analyze(run), format).size(), 200'000U);
  }
}

TEST(HtmlReport, ShowsTheKernels) {
  EXPECT_NE(htmlOf("kernel at=1us..2us name=\"gemm\"\n").find("<td>gemm</td>"), std::string::npos);
}

TEST(HtmlReport, SortsByTheUnitsThatReportsPrint) {
  const std::string html = htmlOf(kServiceRows);
  for (const int64_t bytes : {1, 1'000, 1'000'000, 1'000'000'000}) {
    const std::string text = bytesText(bytes);
    EXPECT_NE(html.find(text.substr(text.find(' ') + 1) + ": 1"), std::string::npos) << text;
  }
}

TEST(HtmlReport, SuitsBothDarkAndLight) {
  const std::string html = htmlOf(kServiceRows);
  EXPECT_NE(html.find("prefers-color-scheme: dark"), std::string::npos);
  // Every colour of text and ground is one of the two palettes.
  EXPECT_EQ(countOf(html, "color: #"), 0U);
  EXPECT_EQ(countOf(html, "fill: #"), 0U);
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
