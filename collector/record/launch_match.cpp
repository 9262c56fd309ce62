#include "collector/record/launch_match.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>

namespace jitscope::collector {
namespace {

using Launches = std::span<const uint32_t>;

/// Insertions and deletions, above which two runs have little in common. What is remembered of the
/// search grows with its square: 32 MB.
constexpr int64_t kMostChanges = 2000;

/// The furthest that was reached on each diagonal, with so many changes or fewer.
class Frontier {
 public:
  explicit Frontier(int64_t changes) : changes_(changes), reached_(2 * changes + 3, -1) {}
  int64_t& at(int64_t diagonal) { return reached_[diagonal + changes_ + 1]; }
  int64_t at(int64_t diagonal) const { return reached_[diagonal + changes_ + 1]; }

 private:
  int64_t changes_;
  std::vector<int64_t> reached_;
};

/// Whether a diagonal goes on, with one more change, from the one above it: by what only the second
/// sequence has.
bool isInsertion(int64_t diagonal, int64_t changes, const Frontier& before) {
  if (diagonal == -changes) return true;
  return diagonal != changes && before.at(diagonal - 1) < before.at(diagonal + 1);
}

int64_t beginningOn(int64_t diagonal, int64_t changes, const Frontier& before) {
  return isInsertion(diagonal, changes, before) ? before.at(diagonal + 1)
                                                : before.at(diagonal - 1) + 1;
}

/// The shortest way from one sequence to the other, change by change (Myers, 1986). Nothing when it
/// has too many.
std::optional<std::vector<Frontier>> findWay(Launches first, Launches second) {
  const auto firstEnd = static_cast<int64_t>(first.size());
  const auto secondEnd = static_cast<int64_t>(second.size());
  std::vector<Frontier> way;
  for (int64_t changes = 0; changes <= std::min(kMostChanges, firstEnd + secondEnd); ++changes) {
    way.emplace_back(changes);
    for (int64_t diagonal = -changes; diagonal <= changes; diagonal += 2) {
      int64_t x = changes == 0 ? 0 : beginningOn(diagonal, changes, way[changes - 1]);
      while (x < firstEnd && x - diagonal < secondEnd && first[x] == second[x - diagonal]) ++x;
      way[changes].at(diagonal) = x;
      if (x >= firstEnd && x - diagonal >= secondEnd) return way;
    }
  }
  return std::nullopt;
}

/// Walks the way back and notes what stayed.
void noteKept(const std::vector<Frontier>& way, size_t firstSize, size_t secondSize, size_t offset,
              std::vector<size_t>& matches) {
  auto x = static_cast<int64_t>(firstSize);
  auto y = static_cast<int64_t>(secondSize);
  for (auto changes = static_cast<int64_t>(way.size()) - 1; changes >= 0; --changes) {
    const int64_t diagonal = x - y;
    const int64_t beginning = changes == 0 ? 0 : beginningOn(diagonal, changes, way[changes - 1]);
    for (; x > beginning; --x, --y)
      matches[offset + static_cast<size_t>(x) - 1] = offset + static_cast<size_t>(y) - 1;
    if (changes == 0) break;
    (isInsertion(diagonal, changes, way[changes - 1]) ? y : x) -= 1;
  }
}

/// Matches what is left by number alone, in order: threads may launch in another order next time.
void matchRest(Launches first, Launches second, std::vector<size_t>& matches) {
  std::vector<bool> isTaken(second.size());
  for (const size_t match : matches) {
    if (match != kNoLaunch) isTaken[match] = true;
  }
  std::unordered_map<uint32_t, std::deque<size_t>> waiting;
  for (size_t i = 0; i < second.size(); ++i) {
    if (!isTaken[i]) waiting[second[i]].push_back(i);
  }
  for (size_t i = 0; i < first.size(); ++i) {
    if (matches[i] != kNoLaunch) continue;
    const auto found = waiting.find(first[i]);
    if (found == waiting.end() || found->second.empty()) continue;
    matches[i] = found->second.front();
    found->second.pop_front();
  }
}

/// Matches those that both have equally often, one after the other.
void matchEquallyOften(Launches first, Launches second, std::vector<size_t>& matches) {
  std::unordered_map<uint32_t, std::vector<size_t>> inFirst, inSecond;
  for (size_t i = 0; i < first.size(); ++i) inFirst[first[i]].push_back(i);
  for (size_t i = 0; i < second.size(); ++i) inSecond[second[i]].push_back(i);
  for (const auto& [launch, places] : inFirst) {
    const auto found = inSecond.find(launch);
    if (found == inSecond.end() || found->second.size() != places.size()) continue;
    for (size_t i = 0; i < places.size(); ++i) matches[places[i]] = found->second[i];
  }
}

}  // namespace

std::vector<size_t> matchLaunches(Launches first, Launches second) {
  std::vector<size_t> matches(first.size(), kNoLaunch);
  size_t offset = 0;
  while (offset < first.size() && offset < second.size() && first[offset] == second[offset]) {
    matches[offset] = offset;
    ++offset;
  }
  size_t firstEnd = first.size();
  size_t secondEnd = second.size();
  while (firstEnd > offset && secondEnd > offset && first[firstEnd - 1] == second[secondEnd - 1])
    matches[--firstEnd] = --secondEnd;
  const Launches firstRest = first.subspan(offset, firstEnd - offset);
  const Launches secondRest = second.subspan(offset, secondEnd - offset);
  if (const auto way = findWay(firstRest, secondRest)) {
    noteKept(*way, firstRest.size(), secondRest.size(), offset, matches);
    matchRest(first, second, matches);
  } else {
    std::fill(matches.begin(), matches.end(), kNoLaunch);
    matchEquallyOften(first, second, matches);
  }
  return matches;
}

}  // namespace jitscope::collector
