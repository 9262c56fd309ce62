#include "analyzer/diff/repeats.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <unordered_map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diff/align.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/measure/durations.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// Adds the durations of a table's rows for which `isWanted` holds, by their names.
template <class Row>
void addColumns(const Run& run, const ColumnTable<Row>& table, auto isWanted,
                DurationsByName& durations) {
  std::unordered_map<trace::StringId, Durations*> known;  // a name is looked up once
  for (size_t i = 0; i < table.size(); ++i) {
    const int64_t startNs = table.template get<&Row::startNs>(i);
    const int64_t endNs = table.template get<&Row::endNs>(i);
    if (!isValidSpan(startNs, endNs) || !isWanted(i)) continue;
    Durations*& ofName = known[table.template get<&Row::name>(i)];
    if (ofName == nullptr)
      ofName = &durations[std::string(run.text(table.template get<&Row::name>(i)))];
    ofName->allNs.push_back(endNs - startNs);
  }
}

Repeats repeatsOf(const Durations& durations) {
  return {static_cast<int64_t>(durations.allNs.size()),
          std::accumulate(durations.allNs.begin(), durations.allNs.end(), int64_t{0}, sumOf),
          medianOf(durations.allNs), durations.served};
}

/// Whether the medians differ by more than what the repeats vary by themselves.
Change judge(const Durations& before, const Durations& after) {
  const auto medianBefore = static_cast<double>(medianOf(before.allNs));
  const auto medianAfter = static_cast<double>(medianOf(after.allNs));
  if (medianBefore == medianAfter) return Change::kSame;
  if (std::min(before.allNs.size(), after.allNs.size()) < kFewestRepeats) return Change::kUnjudged;
  const double deviations = deviationsAbove(after.allNs, before.allNs);
  if (deviations >= kLeastDeviations && medianAfter >= kLeastRatio * medianBefore)
    return Change::kMore;
  if (-deviations >= kLeastDeviations && medianBefore >= kLeastRatio * medianAfter)
    return Change::kLess;
  return Change::kSame;
}

std::vector<std::string> namesOf(const DurationsByName& durations) {
  std::vector<std::string> names;
  names.reserve(durations.size());
  for (const auto& [name, each] : durations) names.push_back(name);
  return names;
}

}  // namespace

int64_t RepeatDifference::totalDeltaNs() const {
  return (after ? after->totalNs : 0) - (before ? before->totalNs : 0);
}

DurationsByName callDurations(const Run& run, const Analysis& analysis) {
  std::map<std::string, bool> hasHits;
  std::vector<std::string> keys;
  for (const FrameSummary& frame : analysis.frames) {
    keys.push_back(frameKey(run, frame.frame));
    hasHits[keys.back()] |= frame.compiled.count > 0;
  }
  DurationsByName durations;
  for (const Call& call : run.calls) {
    const std::string& key = keys[position(call.frameIndex)];
    const bool isHit = call.outcome == trace::CallOutcome::kHit;
    if (hasHits[key] ? !isHit : !isPlainEager(run, call)) continue;
    Durations& each = durations[key];
    each.allNs.push_back(call.durationNs());
    each.served = isHit ? "compiled" : "eager";
  }
  return durations;
}

DurationsByName kernelDurations(const Run& run) {
  DurationsByName durations;
  for (const Process& process : run.processes)
    addColumns(
        run, process.kernels, [](size_t) { return true; }, durations);
  return durations;
}

DurationsByName operatorDurations(const Run& run) {
  DurationsByName durations;
  for (const Process& process : run.processes) {
    const auto depths = process.ops.cells<&trace::OpRow::depth>();
    addColumns(
        run, process.ops, [&](size_t row) { return depths[row] == 0; }, durations);
  }
  return durations;
}

std::vector<RepeatDifference> compareRepeats(const DurationsByName& before,
                                             const DurationsByName& after) {
  const std::vector<std::string> beforeNames = namesOf(before), afterNames = namesOf(after);
  std::vector<RepeatDifference> result;
  for (const Aligned& pair : align(beforeNames, afterNames)) {
    RepeatDifference& each = result.emplace_back();
    each.what = pair.after ? afterNames[*pair.after] : beforeNames[*pair.before];
    const Durations* const old = pair.before ? &before.at(beforeNames[*pair.before]) : nullptr;
    const Durations* const now = pair.after ? &after.at(afterNames[*pair.after]) : nullptr;
    if (old != nullptr) each.before = repeatsOf(*old);
    if (now != nullptr) each.after = repeatsOf(*now);
    if (old == nullptr)
      each.change = Change::kAdded;
    else
      each.change = now == nullptr ? Change::kGone : judge(*old, *now);
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return std::abs(a.totalDeltaNs()) > std::abs(b.totalDeltaNs());
  });
  return result;
}

}  // namespace jitscope::analyzer
