#include "analyzer/reports/text_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/recording_notes.h"
#include "analyzer/reports/kernel_tables.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/reports/shortened.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kNarrowest = 40;
constexpr size_t kRecompilesShown = 20, kFramesShown = 20, kRowsShown = 50;
/// With the verdict above them these fill no more than a screen.
constexpr size_t kWorstShown = 5;

/// Writes the parts of a report for one layout.
class TextWriter {
 public:
  explicit TextWriter(const ReportLayout& layout)
      : hasColour_(layout.hasColour),
        width_(std::max(layout.width, kNarrowest)),
        tableWidth_(layout.tableWidth) {}

  void line(std::string_view text) { report_ += printable(text) + "\n"; }

  void paragraph(std::string_view text) {
    for (const std::string& part : wrapped(printable(text), width_)) report_ += bold(part) + "\n";
  }

  void table(Table table) {
    if (table.rows.empty()) return;
    keepFirst(table, kRowsShown);
    report_ += fmt::format("\n{}\n{}", bold(table.title), textTable(table, tableWidth_));
  }

  void heading(std::string_view text) { report_ += fmt::format("\n{}\n", bold(text)); }

  void finding(size_t number, const Finding& finding) {
    constexpr size_t kIndent = 15, kLongest = 4000;
    const std::string title =
        fmt::format("{}. {}", number, printable(shortened(finding.advice.title, kLongestCell)));
    report_ += fmt::format("\n  {}\n", painted(title, colourOf(finding)));
    for (const FindingLine& fact : findingLines(finding)) {
      std::string label = fact.label;
      for (const std::string& part :
           wrapped(printable(shortened(fact.text, kLongest)), width_ - kIndent)) {
        report_ += fmt::format("     {:<10}{}\n", label, part);
        label.clear();
      }
    }
  }

  std::string take() { return std::move(report_); }

 private:
  static constexpr std::string_view kBold = "1", kRed = "1;31", kYellow = "1;33", kGrey = "1;90";

  /// What costs most is red, what cannot be helped or is of the recording grey.
  static std::string_view colourOf(const Finding& finding) {
    if (finding.kind == FindingKind::kRecording || !finding.advice.isAvoidable) return kGrey;
    return finding.cost.timeNs > 0 ? kRed : kYellow;
  }

  std::string painted(std::string_view text, std::string_view colour) const {
    return hasColour_ ? fmt::format("\x1b[{}m{}\x1b[0m", colour, text) : std::string(text);
  }

  std::string bold(std::string_view text) const { return painted(text, kBold); }

  bool hasColour_;
  size_t width_, tableWidth_;
  std::string report_;
};

}  // namespace

std::string textReport(const Run& run, const Analysis& analysis, const ReportLayout& layout) {
  TextWriter writer(layout);
  writer.line(run.path.string());
  writer.line(overview(run));
  writer.line("");
  writer.paragraph(analysis.verdict);
  const size_t shown = shownFindings(analysis, layout);
  writer.table(worstTable(analysis, std::min(shown, kWorstShown)));
  writer.table(framesTable(run, analysis, kFramesShown));
  writer.table(eagerTable(run, analysis, kFramesShown));
  for (const Table& table : kernelTables(run, analysis)) writer.table(table);
  if (!analysis.findings.empty()) writer.heading("Findings, worst first");
  for (size_t i = 0; i < shown; ++i) writer.finding(i + 1, analysis.findings[i]);
  if (shown < analysis.findings.size()) {
    const auto more = static_cast<int64_t>(analysis.findings.size() - shown);
    writer.line("");
    writer.line(fmt::format("  and {} more", countText(more)));
  }
  writer.table(recompilesTable(run, kRecompilesShown));
  writer.table(lossesTable(run));
  const std::vector<std::string> notes = recordingNotes(run);
  if (!notes.empty()) writer.line("");
  for (const std::string& note : notes) writer.line(note);
  return writer.take();
}

}  // namespace jitscope::analyzer
