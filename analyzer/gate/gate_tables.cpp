#include "analyzer/gate/gate_tables.h"

#include <fmt/format.h>

#include "analyzer/reports/shortened.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kLongestTitle = 200, kLongestText = 2000, kLongestShown = 120;

std::string stateText(const FindingCheck& check) {
  if (check.state == FindingState::kAllowed)
    return "allowed: " + shortened(check.allowedBecause, kLongestShown);
  return std::string(name(check.state));
}

}  // namespace

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

Table findingsTable(const GateVerdict& verdict) {
  Table table;
  table.title = "Findings";
  table.columns = {{"finding"}, {"place"}, {"count", true}, {"state"}, {""}};
  for (const FindingCheck& check : verdict.findings) {
    table.rows.push_back({shortened(check.finding->advice.title, kLongestShown),
                          shortened(shortText(check.finding->place), kLongestShown),
                          measureText(static_cast<double>(check.finding->count())),
                          stateText(check), check.isOver ? "over" : ""});
  }
  return table;
}

std::string boundedTitle(const Finding& finding) {
  return shortened(finding.advice.title, kLongestTitle);
}

std::vector<FindingLine> boundedLines(const Finding& finding) {
  std::vector<FindingLine> lines = findingLines(finding);
  for (FindingLine& line : lines) line.text = shortened(line.text, kLongestText);
  return lines;
}

bool isLineOfFile(const Place& place) {
  constexpr size_t kLongestPath = 4096;
  return !place.file.empty() && place.file.size() <= kLongestPath && place.line > 0;
}

std::string boundedText(std::string_view text) { return shortened(text, kLongestText); }

}  // namespace jitscope::analyzer
