#include "analyzer/diagnoses/straggler.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;

// What the least and the most waiting rank differ by, of all time in collectives.
constexpr double kLeastShare = 0.1;

/// The collectives of one rank in their order, by name.
struct RankCollectives {
  int64_t rank = -1;
  ProcessIndex process = ProcessIndex::kNone;
  std::map<std::string, std::vector<Occurrence>> byName;
};

RankCollectives collectivesOf(const Run& run, ProcessIndex index) {
  const Process& process = run.processes[index];
  RankCollectives result{process.row.rank, index, {}};
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const std::string_view name = run.text(process.kernels.get<&KernelRow::name>(i));
    const int64_t startNs = process.kernels.get<&KernelRow::startNs>(i);
    const int64_t endNs = process.kernels.get<&KernelRow::endNs>(i);
    if (!isCollective(name) || !isValidSpan(startNs, endNs)) continue;
    result.byName[std::string(name)].push_back({index, FrameIndex::kNone, 0, startNs, endNs});
  }
  for (auto& [name, each] : result.byName) {
    std::sort(each.begin(), each.end(),
              [](const Occurrence& a, const Occurrence& b) { return a.startNs < b.startNs; });
  }
  return result;
}

/// How long each rank waited: a collective lasts from when a rank arrives to when the last one has,
/// so the rank with the shortest kernel came last.
struct Waits {
  std::vector<Sum> byRank;  ///< in the order of the ranks
  std::vector<int64_t> lastArrivals;
  Sum totalNs;
  int64_t collectives = 0;
  std::vector<Occurrence> occurrences;  ///< on the rank that waited longest
};

void addCollective(const std::vector<RankCollectives>& ranks, const std::string& name, size_t at,
                   Waits& waits) {
  std::vector<int64_t> durations;
  for (const RankCollectives& rank : ranks) {
    const Occurrence& each = rank.byName.at(name)[at];
    durations.push_back(each.endNs - each.startNs);
  }
  const auto shortest = std::min_element(durations.begin(), durations.end());
  const auto longest = std::max_element(durations.begin(), durations.end());
  for (size_t r = 0; r < ranks.size(); ++r) {
    waits.byRank[r] += durations[r] - *shortest;
    waits.totalNs += durations[r];
  }
  ++waits.lastArrivals[static_cast<size_t>(shortest - durations.begin())];
  ++waits.collectives;
  waits.occurrences.push_back(
      ranks[static_cast<size_t>(longest - durations.begin())].byName.at(name)[at]);
}

Waits waitsOf(const std::vector<RankCollectives>& ranks) {
  Waits waits;
  waits.byRank.resize(ranks.size());
  waits.lastArrivals.resize(ranks.size());
  for (const auto& collective : ranks.front().byName) {
    const auto& name = collective.first;
    const auto& first = collective.second;
    // Ranks that did not take part as often were recorded over other steps: nothing can be matched.
    const bool isOfAll = std::all_of(ranks.begin(), ranks.end(), [&](const RankCollectives& rank) {
      const auto found = rank.byName.find(name);
      return found != rank.byName.end() && found->second.size() == first.size();
    });
    for (size_t i = 0; isOfAll && i < first.size(); ++i) addCollective(ranks, name, i, waits);
  }
  return waits;
}

}  // namespace

std::vector<Finding> findStragglers(const Subject& subject) {
  const Run& run = subject.run;
  std::vector<RankCollectives> ranks;
  for (size_t p = 0; p < run.processes.size(); ++p) {
    RankCollectives rank = collectivesOf(run, run.processes.indexAt(p));
    if (rank.rank >= 0 && !rank.byName.empty()) ranks.push_back(std::move(rank));
  }
  if (ranks.size() < 2) return {};
  Waits waits = waitsOf(ranks);
  const auto slowest = static_cast<size_t>(
      std::min_element(waits.byRank.begin(), waits.byRank.end()) - waits.byRank.begin());
  const int64_t worstNs = *std::max_element(waits.byRank.begin(), waits.byRank.end());
  const bool isWorthIt = static_cast<double>(worstNs) * static_cast<double>(ranks.size()) >=
                         kLeastShare * static_cast<double>(waits.totalNs);
  if (waits.collectives == 0 || worstNs == 0 || !isWorthIt) return {};
  Sum waitedNs;
  for (const Sum& each : waits.byRank) waitedNs += each;
  Finding finding;
  finding.kind = FindingKind::kStraggler;
  finding.causeClass = "late_rank";
  finding.id = "straggler/late_rank";
  finding.advice.title =
      fmt::format("rank {} is late: others wait for it in collectives", ranks[slowest].rank);
  finding.advice.cause = fmt::format(
      "of {} collectives of {} ranks, rank {} was the last to arrive in {}; the rank that waited "
      "most waited for {}",
      countText(waits.collectives), ranks.size(), ranks[slowest].rank,
      countText(waits.lastArrivals[slowest]), durationText(worstNs));
  finding.advice.fix = fmt::format(
      "compare rank {} with another one (`jitscope diff`): recompiles and breaks of one rank, "
      "uneven "
      "inputs or a slower host make all others wait",
      ranks[slowest].rank);
  finding.advice.certainty = Certainty::kLikely;
  finding.cost.timeNs = worstNs;
  finding.estimate = Estimate{"time of all ranks in collectives", waits.totalNs,
                              waits.totalNs - waitedNs, "all ranks arrived together"};
  finding.evidence = {{"collectives", waits.collectives},
                      {"last arrivals", waits.lastArrivals[slowest]},
                      {"rank", ranks[slowest].rank},
                      {"processes", static_cast<int64_t>(ranks.size())}};
  finding.occurrences = std::move(waits.occurrences);
  return {finding};
}

}  // namespace jitscope::analyzer
