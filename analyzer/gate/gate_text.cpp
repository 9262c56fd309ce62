#include <fmt/format.h>

#include "analyzer/gate/gate_tables.h"
#include "analyzer/gate/outputs.h"

namespace jitscope::analyzer {

std::string gateText(const GateVerdict& verdict) {
  std::string text = conclusion(verdict) + "\n";
  for (const FindingCheck& check : verdict.findings) {
    if (!check.isOver) continue;
    text += fmt::format("\n{}\n", printable(boundedTitle(*check.finding)));
    for (const FindingLine& fact : boundedLines(*check.finding))
      text += fmt::format("  {:<6} {}\n", fact.label, printable(fact.text));
  }
  for (const Table& table : {limitsTable(verdict), findingsTable(verdict)}) {
    if (!table.rows.empty()) text += fmt::format("\n{}\n{}", table.title, textTable(table));
  }
  if (!verdict.gone.empty()) text += "\nGone since the baseline\n";
  for (const std::string& each : verdict.gone)
    text += fmt::format("  {}\n", printable(boundedText(each)));
  if (!verdict.notes.empty()) text += '\n';
  for (const std::string& note : verdict.notes)
    text += fmt::format("note: {}\n", printable(boundedText(note)));
  return text;
}

}  // namespace jitscope::analyzer
