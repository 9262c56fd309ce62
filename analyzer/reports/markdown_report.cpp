#include "analyzer/reports/markdown_report.h"

#include <fmt/format.h>

#include "analyzer/recording_notes.h"
#include "analyzer/reports/kernel_tables.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/reports/shortened.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kRecompilesShown = 50, kRowsShown = 200, kLongestFact = 4000;

void appendTable(std::string& report, Table table) {
  if (table.rows.empty()) return;
  keepFirst(table, kRowsShown);
  report += fmt::format("\n## {}\n\n{}", table.title, markdownTable(table));
}

void appendFinding(std::string& report, size_t number, const Finding& finding) {
  report += fmt::format("\n### {}. {}\n\n", number,
                        markdownEscaped(shortened(finding.advice.title, kLongestCell)));
  for (const FindingLine& line : findingLines(finding)) {
    report += fmt::format("- **{}**: {}\n", line.label,
                          markdownEscaped(shortened(line.text, kLongestFact)));
  }
}

}  // namespace

std::string markdownReport(const Run& run, const Analysis& analysis, const ReportLayout& layout) {
  std::string report =
      fmt::format("# {}\n\n{}\n\n**{}**\n", markdownEscaped(run.path.string()),
                  markdownEscaped(overview(run)), markdownEscaped(analysis.verdict));
  appendTable(report, framesTable(run, analysis));
  appendTable(report, eagerTable(run, analysis));
  for (const Table& table : kernelTables(run, analysis)) appendTable(report, table);
  if (!analysis.findings.empty()) report += "\n## Findings, worst first\n";
  const size_t shown = shownFindings(analysis, layout);
  for (size_t i = 0; i < shown; ++i) appendFinding(report, i + 1, analysis.findings[i]);
  if (shown < analysis.findings.size())
    report += fmt::format("\nand {} more\n", analysis.findings.size() - shown);
  appendTable(report, recompilesTable(run, kRecompilesShown));
  appendTable(report, lossesTable(run));
  for (const std::string& note : recordingNotes(run)) {
    report += "\n" + markdownEscaped(note) + "\n";
  }
  return report;
}

}  // namespace jitscope::analyzer
