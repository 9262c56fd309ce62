#include "analyzer/reports/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analyzer/recording_notes.h"
#include "analyzer/reports/html_page.h"
#include "analyzer/reports/kernel_tables.h"
#include "analyzer/reports/long_texts.h"
#include "analyzer/reports/run_pictures.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/reports/xml_escape.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kRecompilesShown = 1000, kRowsShown = 1000, kFindingsShown = 1000;
constexpr size_t kOpenFindings = 3;
constexpr size_t kLongestHtmlCell = 120, kLongestTitle = 200, kLongestFact = 1000;

/// Writes the parts of a page.
class HtmlWriter {
 public:
  void table(Table table) {
    if (table.rows.empty()) return;
    keepFirst(table, kRowsShown);
    html_ += fmt::format("<h2>{}</h2>\n<table>\n<thead><tr>", xmlEscaped(table.title));
    for (const Table::Column& column : table.columns)
      html_ += fmt::format("<th{}>{}</th>", classOf(column), xmlEscaped(column.header));
    html_ += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      html_ += "<tr>";
      for (size_t i = 0; i < row.size(); ++i) {
        html_ += fmt::format("<td{}>{}</td>", classOf(table.columns[i]),
                             texts_.html(row[i], kLongestHtmlCell));
      }
      html_ += "</tr>\n";
    }
    html_ += "</tbody></table>\n";
    note(table.note);
  }

  void findings(const std::vector<Finding>& findings, size_t most) {
    if (findings.empty()) return;
    raw("<h2>Findings, worst first</h2>\n");
    const size_t shown = std::min(most, kFindingsShown);
    for (size_t i = 0; i < shown; ++i) finding(i + 1, findings[i]);
    if (shown < findings.size())
      note(fmt::format("and {} more", countText(static_cast<int64_t>(findings.size() - shown))));
  }

  void picture(const char* title, const std::string& svg, const char* caption) {
    if (svg.empty()) return;
    html_ += fmt::format("<h2>{}</h2>\n<figure>{}<figcaption>{}</figcaption></figure>\n", title,
                         svg, caption);
  }

  void note(std::string_view text) {
    if (!text.empty())
      html_ += fmt::format("<p class=\"note\">{}</p>\n", texts_.html(text, kLongestFact));
  }

  /// Text that nothing of the recording is in.
  void raw(std::string_view html) { html_ += html; }

  std::string text(std::string_view text) { return texts_.html(text, kLongestFact); }

  std::string take() { return std::move(html_) + texts_.list(); }

 private:
  static std::string_view classOf(const Table::Column& column) {
    return column.isNumber ? " class=\"number\"" : "";
  }

  void finding(size_t number, const Finding& finding) {
    html_ += fmt::format("<details{}><summary>{}. {}</summary>\n<dl>\n",
                         number <= kOpenFindings ? " open" : "", number,
                         texts_.html(finding.advice.title, kLongestTitle));
    for (const FindingLine& line : findingLines(finding)) {
      html_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xmlEscaped(line.label),
                           texts_.html(line.text, kLongestFact));
    }
    html_ += "</dl></details>\n";
  }

  std::string html_;
  LongTexts texts_;
};

}  // namespace

std::string htmlReport(const Run& run, const Analysis& analysis, const ReportLayout& layout) {
  const std::string path = xmlEscaped(run.path.string());
  HtmlWriter page;
  page.raw(kHtmlHead);
  page.raw(fmt::format("<title>jitscope: {}</title>\n</head>\n<body>\n<h1>{}</h1>\n", path, path));
  page.raw(fmt::format("<p>{}</p>\n<p class=\"verdict\">{}</p>\n", xmlEscaped(overview(run)),
                       page.text(analysis.verdict)));
  page.findings(analysis.findings, shownFindings(analysis, layout));
  page.picture("Eager above compiled", eagerAgainstCompiledPicture(run, analysis),
               "The typical call both ways, from its start, with its operators.");
  page.picture("The run", runPicture(run),
               "Calls: blue ran compiled, orange compiled, grey eagerly; red are graph "
               "breaks. Kernels: grey eager, blue fused, green replayed.");
  page.table(framesTable(run, analysis));
  page.table(eagerTable(run, analysis));
  for (const Table& table : kernelTables(run, analysis)) page.table(table);
  page.table(recompilesTable(run, kRecompilesShown));
  page.table(lossesTable(run));
  for (const std::string& note : recordingNotes(run)) page.note(note);
  return page.take() + std::string(kHtmlScript) + "</body>\n</html>\n";
}

}  // namespace jitscope::analyzer
