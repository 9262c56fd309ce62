#include "analyzer/reports/text_report.h"

#include <fmt/format.h>

#include "analyzer/reports/kernel_tables.h"
#include "analyzer/reports/run_tables.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kWidth = 100;
constexpr size_t kRecompilesShown = 20;

void appendTable(std::string& report, const Table& table) {
  if (table.rows.empty()) return;
  report += fmt::format("\n{}\n{}", table.title, textTable(table));
}

void appendFinding(std::string& report, size_t number, const Finding& finding) {
  report += fmt::format("\n  {}. {}\n", number, finding.advice.title);
  constexpr size_t kIndent = 15;
  for (const FindingLine& line : findingLines(finding)) {
    std::string label = line.label;
    for (const std::string& part : wrapped(line.text, kWidth - kIndent)) {
      report += fmt::format("     {:<10}{}\n", label, part);
      label.clear();
    }
  }
}

}  // namespace

std::string textReport(const Run& run, const Analysis& analysis) {
  std::string report = fmt::format("{}\n{}\n\n", run.path.string(), overview(run));
  for (const std::string& line : wrapped(analysis.verdict, kWidth)) report += line + "\n";
  appendTable(report, framesTable(run, analysis));
  appendTable(report, eagerTable(run, analysis));
  for (const Table& table : kernelTables(run, analysis)) appendTable(report, table);
  if (!analysis.findings.empty()) report += "\nFindings, worst first\n";
  for (size_t i = 0; i < analysis.findings.size(); ++i) {
    appendFinding(report, i + 1, analysis.findings[i]);
  }
  appendTable(report, recompilesTable(run, kRecompilesShown));
  appendTable(report, lossesTable(run));
  const std::vector<std::string> notes = recordingNotes(run);
  if (!notes.empty()) report += "\n";
  for (const std::string& note : notes) report += note + "\n";
  return report;
}

}  // namespace jitscope::analyzer
