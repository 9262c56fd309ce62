#include <algorithm>

#include "analyzer/diff.h"
#include "analyzer/diff/align.h"
#include "analyzer/diff/repeats.h"
#include "analyzer/diff/totals.h"

namespace jitscope::analyzer {
namespace {

std::vector<std::string> idsOf(const std::vector<Finding>& findings) {
  std::vector<std::string> ids;
  ids.reserve(findings.size());
  for (const Finding& finding : findings) ids.push_back(finding.id);
  return ids;
}

/// How often a cause struck is a fact; what it cost varies from run to run.
Change judge(const Finding& before, const Finding& after) {
  if (before.count() == after.count()) return Change::kSame;
  return after.count() > before.count() ? Change::kMore : Change::kLess;
}

std::vector<FindingDifference> compareFindings(const std::vector<Finding>& before,
                                               const std::vector<Finding>& after) {
  std::vector<FindingDifference> result;
  for (const Aligned& pair : align(idsOf(before), idsOf(after))) {
    FindingDifference& each = result.emplace_back();
    if (pair.before) each.before = &before[*pair.before];
    if (pair.after) each.after = &after[*pair.after];
    if (each.before == nullptr)
      each.change = Change::kAdded;
    else
      each.change = each.after == nullptr ? Change::kGone : judge(*each.before, *each.after);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.change < b.change; });
  return result;
}

/// What is slower by its times alone may not be so when it waited for a processor.
void doubtTimes(std::vector<RepeatDifference>& list) {
  for (RepeatDifference& each : list) {
    const bool isJudged = each.change == Change::kMore || each.change == Change::kLess;
    if (isJudged) each.change = Change::kDoubtful;
  }
}

/// Doubts all that is told of times of the host. A GPU does not wait for a processor within a
/// kernel.
void doubtHost(RunDiff& diff) {
  doubtTimes(diff.frames);
  doubtTimes(diff.operators);
  for (TotalDifference& each : diff.totals) {
    const bool differs = each.change == Change::kUnjudged;
    if (differs && each.kind == TotalKind::kHostTime) each.change = Change::kDoubtful;
  }
}

}  // namespace

std::string_view name(Change change) {
  switch (change) {
    case Change::kAdded:
      return "added";
    case Change::kGone:
      return "gone";
    case Change::kMore:
      return "more";
    case Change::kLess:
      return "less";
    case Change::kSame:
      return "same";
    case Change::kUnjudged:
      return "unjudged";
    case Change::kDoubtful:
      return "doubtful";
  }
  return "";
}

RunDiff diffRuns(const Run& before, const Analysis& beforeAnalysis, const Run& after,
                 const Analysis& afterAnalysis) {
  RunDiff diff;
  diff.before = before.path;
  diff.after = after.path;
  diff.waits = {processorWait(before), processorWait(after)};
  diff.totals = compareTotals(before, beforeAnalysis, after, afterAnalysis);
  diff.findings = compareFindings(beforeAnalysis.findings, afterAnalysis.findings);
  diff.frames =
      compareRepeats(callDurations(before, beforeAnalysis), callDurations(after, afterAnalysis));
  diff.kernels = compareRepeats(kernelDurations(before), kernelDurations(after));
  diff.operators = compareRepeats(operatorDurations(before), operatorDurations(after));
  if (diff.waits.isEitherLong()) doubtHost(diff);
  return diff;
}

}  // namespace jitscope::analyzer
