#include "analyzer/diff/repeats.h"

#include <algorithm>
#include <cmath>
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

/// The processes by rank: their order in a run is that of their files, whose names hold ids that
/// are others in each recording.
std::vector<const Process*> processesByRank(const Run& run) {
  std::vector<const Process*> processes;
  for (const Process& process : run.processes) processes.push_back(&process);
  std::stable_sort(processes.begin(), processes.end(),
                   [](const Process* first, const Process* second) {
                     return first->row.rank < second->row.rank;
                   });
  return processes;
}

/// Those calls of a run of which `isWanted` holds, by rank and in their order in it.
std::vector<const Call*> callsByRank(const Run& run, auto isWanted) {
  std::vector<const Call*> calls;
  for (const Call& call : run.calls) {
    if (isWanted(call)) calls.push_back(&call);
  }
  const auto rank = [&](const Call* call) { return run.processes[call->process].row.rank; };
  std::stable_sort(calls.begin(), calls.end(), [&](const Call* first, const Call* second) {
    return rank(first) < rank(second);
  });
  return calls;
}

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

/// Medians of consecutive repeats, a few of them: what a processor that changes its speed for a
/// while does to single repeats, it does to all of a block, so that blocks vary by it too. A block
/// is large enough that one slow repeat, such as the first, is not its median.
std::vector<int64_t> blockMedians(const std::vector<int64_t>& inOrder) {
  constexpr size_t kMostBlocks = 8, kLeastInBlock = 3;
  const size_t blocks = std::clamp<size_t>(inOrder.size() / kLeastInBlock, 1, kMostBlocks);
  std::vector<int64_t> medians;
  for (size_t block = 0; block < blocks; ++block) {
    const auto from = static_cast<std::ptrdiff_t>(block * inOrder.size() / blocks);
    const auto to = static_cast<std::ptrdiff_t>((block + 1) * inOrder.size() / blocks);
    medians.push_back(medianOf({inOrder.begin() + from, inOrder.begin() + to}));
  }
  return medians;
}

/// How many deviations are asked of each of `comparisons`, so that of things that are as fast
/// either way hardly ever one is told among all of them. By the bound of the normal distribution's
/// tail, Q(z) <= exp(-z²/2) / 2. More than kLeastDeviations for any number of them.
double leastDeviations(size_t comparisons) {
  constexpr double kByChance = 0.005;  // on each side
  const double each = kByChance / static_cast<double>(std::max<size_t>(comparisons, 1));
  return std::sqrt(-2 * std::log(2 * each));
}

/// The most deviations that so many repeats can show: when all of one side rank above the other.
double mostDeviations(size_t before, size_t after) {
  const auto n = static_cast<double>(before), m = static_cast<double>(after);
  return std::sqrt(3 * n * m / (n + m + 1));
}

/// Whether every block of `slower` took longer than each of `faster`.
bool areBlocksApart(const std::vector<int64_t>& slower, const std::vector<int64_t>& faster) {
  const std::vector<int64_t> some = blockMedians(slower), others = blockMedians(faster);
  return *std::min_element(some.begin(), some.end()) >
         *std::max_element(others.begin(), others.end());
}

/// Whether the medians differ by more than what the repeats vary by themselves.
Change judge(const Durations& before, const Durations& after, double least) {
  const auto medianBefore = static_cast<double>(medianOf(before.allNs));
  const auto medianAfter = static_cast<double>(medianOf(after.allNs));
  if (medianBefore == medianAfter) return Change::kSame;
  const size_t countBefore = before.allNs.size(), countAfter = after.allNs.size();
  const bool hasFew = std::min(countBefore, countAfter) < kFewestRepeats;
  if (hasFew || mostDeviations(countBefore, countAfter) < least) return Change::kUnjudged;
  const bool isMore = medianAfter > medianBefore;
  const std::vector<int64_t>& slower = isMore ? after.allNs : before.allNs;
  const std::vector<int64_t>& faster = isMore ? before.allNs : after.allNs;
  const bool isBeyondNoise =
      std::max(medianBefore, medianAfter) >= kLeastRatio * std::min(medianBefore, medianAfter) &&
      deviationsAbove(slower, faster) >= least && areBlocksApart(slower, faster);
  if (!isBeyondNoise) return Change::kSame;
  return isMore ? Change::kMore : Change::kLess;
}

/// How many of the pairs are on both sides.
size_t countOfBoth(const std::vector<Aligned>& pairs) {
  return static_cast<size_t>(std::count_if(
      pairs.begin(), pairs.end(), [](const Aligned& pair) { return pair.before && pair.after; }));
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
  const auto isHit = [](const Call& call) { return call.outcome == trace::CallOutcome::kHit; };
  const auto isWanted = [&](const Call& call) {
    return hasHits[keys[position(call.frameIndex)]] ? isHit(call) : isPlainEager(run, call);
  };
  DurationsByName durations;
  for (const Call* const call : callsByRank(run, isWanted)) {
    Durations& each = durations[keys[position(call->frameIndex)]];
    each.allNs.push_back(call->durationNs());
    each.served = isHit(*call) ? "compiled" : "eager";
  }
  return durations;
}

DurationsByName kernelDurations(const Run& run) {
  DurationsByName durations;
  for (const Process* const process : processesByRank(run))
    addColumns(
        run, process->kernels, [](size_t) { return true; }, durations);
  return durations;
}

DurationsByName operatorDurations(const Run& run) {
  DurationsByName durations;
  for (const Process* const process : processesByRank(run)) {
    const auto depths = process->ops.cells<&trace::OpRow::depth>();
    addColumns(
        run, process->ops, [&](size_t row) { return depths[row] == 0; }, durations);
  }
  return durations;
}

std::vector<RepeatDifference> compareRepeats(const DurationsByName& before,
                                             const DurationsByName& after) {
  const std::vector<std::string> beforeNames = namesOf(before), afterNames = namesOf(after);
  std::vector<RepeatDifference> result;
  const std::vector<Aligned> pairs = align(beforeNames, afterNames);
  const double least = leastDeviations(countOfBoth(pairs));
  for (const Aligned& pair : pairs) {
    RepeatDifference& each = result.emplace_back();
    each.what = pair.after ? afterNames[*pair.after] : beforeNames[*pair.before];
    const Durations* const old = pair.before ? &before.at(beforeNames[*pair.before]) : nullptr;
    const Durations* const now = pair.after ? &after.at(afterNames[*pair.after]) : nullptr;
    if (old != nullptr) each.before = repeatsOf(*old);
    if (now != nullptr) each.after = repeatsOf(*now);
    if (old == nullptr)
      each.change = Change::kAdded;
    else
      each.change = now == nullptr ? Change::kGone : judge(*old, *now, least);
  }
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) {
    return std::abs(a.totalDeltaNs()) > std::abs(b.totalDeltaNs());
  });
  return result;
}

}  // namespace jitscope::analyzer
