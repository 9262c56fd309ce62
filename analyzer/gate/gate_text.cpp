#include <fmt/format.h>

#include "analyzer/gate/outputs.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/reports/table.h"

namespace jitscope::analyzer {
namespace {

std::string conclusion(const GateVerdict& verdict) {
  const size_t over = verdict.overCount();
  if (over == 0) return "The run is within its limits.";
  return fmt::format("{} {} over the limit.", over, over == 1 ? "thing is" : "things are");
}

Table limitsTable(const GateVerdict& verdict) {
  Table table;
  table.title = "Limits";
  table.columns = {{"limit"}, {"what"}, {"run", true}, {"at most", true}, {""}};
  for (const LimitCheck& check : verdict.limits) {
    table.rows.push_back({std::string(check.measure->name), std::string(check.measure->meaning),
                          measureText(check.value),
                          check.limit ? measureText(check.limit) : "not in the baseline",
                          check.isOver ? "over" : "ok"});
  }
  return table;
}

std::string stateText(const FindingCheck& check) {
  if (check.state == FindingState::kAllowed) return "allowed: " + check.allowedBecause;
  return std::string(name(check.state));
}

Table findingsTable(const GateVerdict& verdict) {
  Table table;
  table.title = "Findings";
  table.columns = {{"finding"}, {"place"}, {"count", true}, {"state"}, {""}};
  for (const FindingCheck& check : verdict.findings) {
    table.rows.push_back({check.finding->advice.title, shortText(check.finding->place),
                          measureText(static_cast<double>(check.finding->count())),
                          stateText(check), check.isOver ? "over" : ""});
  }
  return table;
}

/// The facts of every finding that is over, each line through `line`.
template <class Head, class Line>
void eachOver(const GateVerdict& verdict, Head head, Line line) {
  for (const FindingCheck& check : verdict.findings) {
    if (!check.isOver) continue;
    head(*check.finding);
    for (const FindingLine& fact : findingLines(*check.finding)) line(fact);
  }
}

}  // namespace

std::string gateText(const GateVerdict& verdict) {
  std::string text = conclusion(verdict) + "\n";
  eachOver(
      verdict,
      [&](const Finding& finding) {
        text += fmt::format("\n{}\n", printable(finding.advice.title));
      },
      [&](const FindingLine& fact) {
        text += fmt::format("  {:<6} {}\n", fact.label, printable(fact.text));
      });
  for (const Table& table : {limitsTable(verdict), findingsTable(verdict)}) {
    if (!table.rows.empty()) text += fmt::format("\n{}\n{}", table.title, textTable(table));
  }
  if (!verdict.gone.empty()) text += "\nGone since the baseline\n";
  for (const std::string& each : verdict.gone) text += fmt::format("  {}\n", each);
  if (!verdict.notes.empty()) text += "\n";
  for (const std::string& note : verdict.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string gateMarkdown(const GateVerdict& verdict) {
  std::string text = fmt::format("### jitscope: {}\n", conclusion(verdict));
  eachOver(
      verdict,
      [&](const Finding& finding) {
        text += fmt::format("\n**{}**\n\n", markdownEscaped(finding.advice.title));
      },
      [&](const FindingLine& fact) {
        text += fmt::format("- **{}**: {}\n", fact.label, markdownEscaped(fact.text));
      });
  const Table limits = limitsTable(verdict), findings = findingsTable(verdict);
  if (!limits.rows.empty()) text += "\n" + markdownTable(limits);
  if (!findings.rows.empty()) {
    text += fmt::format("\n<details><summary>All {} findings</summary>\n\n{}\n</details>\n",
                        findings.rows.size(), markdownTable(findings));
  }
  if (!verdict.gone.empty()) text += "\nGone since the baseline:\n\n";
  for (const std::string& each : verdict.gone) text += "- " + markdownEscaped(each) + "\n";
  if (!verdict.notes.empty()) text += "\n";
  for (const std::string& note : verdict.notes) text += "> " + markdownEscaped(note) + "\n";
  return text;
}

}  // namespace jitscope::analyzer
