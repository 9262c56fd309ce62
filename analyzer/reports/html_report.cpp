#include "analyzer/reports/html_report.h"

#include <fmt/format.h>

#include "analyzer/reports/html_page.h"
#include "analyzer/reports/run_pictures.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/reports/xml_escape.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kRecompilesShown = 1000;
constexpr size_t kOpenFindings = 3;

std::string tableHtml(const Table& table) {
  if (table.rows.empty()) return {};
  std::string html = fmt::format("<h2>{}</h2>\n<table>\n<thead><tr>", xmlEscaped(table.title));
  for (const Table::Column& column : table.columns) {
    html += fmt::format("<th{}>{}</th>", column.isNumber ? " class=\"number\"" : "",
                        xmlEscaped(column.header));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      html += fmt::format("<td{}>{}</td>", table.columns[i].isNumber ? " class=\"number\"" : "",
                          xmlEscaped(row[i]));
    }
    html += "</tr>\n";
  }
  html += "</tbody></table>\n";
  if (!table.note.empty())
    html += fmt::format("<p class=\"note\">{}</p>\n", xmlEscaped(table.note));
  return html;
}

std::string findingHtml(size_t number, const Finding& finding) {
  std::string html =
      fmt::format("<details{}><summary>{}. {}</summary>\n<dl>\n",
                  number <= kOpenFindings ? " open" : "", number, xmlEscaped(finding.advice.title));
  for (const FindingLine& line : findingLines(finding)) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", xmlEscaped(line.label), xmlEscaped(line.text));
  }
  return html + "</dl></details>\n";
}

std::string pictureHtml(const char* title, const std::string& svg, const char* caption) {
  if (svg.empty()) return {};
  return fmt::format("<h2>{}</h2>\n<figure>{}<figcaption>{}</figcaption></figure>\n", title, svg,
                     caption);
}

}  // namespace

std::string htmlReport(const Run& run, const Analysis& analysis, const ReportLayout& layout) {
  const std::string path = xmlEscaped(run.path.string());
  std::string html(kHtmlHead);
  html += fmt::format("<title>jitscope: {}</title>\n</head>\n<body>\n<h1>{}</h1>\n", path, path);
  html += fmt::format("<p>{}</p>\n<p class=\"verdict\">{}</p>\n", xmlEscaped(overview(run)),
                      xmlEscaped(analysis.verdict));
  if (!analysis.findings.empty()) html += "<h2>Findings, worst first</h2>\n";
  const size_t shown = shownFindings(analysis, layout);
  for (size_t i = 0; i < shown; ++i) html += findingHtml(i + 1, analysis.findings[i]);
  html += pictureHtml("Eager above compiled", eagerAgainstCompiledPicture(run, analysis),
                      "The typical call both ways, from its start, with its operators.");
  html += pictureHtml("The run", runPicture(run),
                      "Calls: blue ran compiled, orange compiled, grey eagerly; red are graph "
                      "breaks. Kernels: grey eager, blue fused, green replayed.");
  html += tableHtml(framesTable(run, analysis));
  html += tableHtml(eagerTable(run, analysis));
  html += tableHtml(recompilesTable(run, kRecompilesShown));
  html += tableHtml(lossesTable(run));
  for (const std::string& note : recordingNotes(run))
    html += fmt::format("<p class=\"note\">{}</p>\n", xmlEscaped(note));
  return html + std::string(kHtmlScript) + "</body>\n</html>\n";
}

}  // namespace jitscope::analyzer
