#include "trace/closest_word.h"

#include <algorithm>
#include <string>
#include <vector>

namespace jitscope::trace {
namespace {

// The optimal string alignment distance.
size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::vector<size_t>> cost(from.size() + 1, std::vector<size_t>(to.size() + 1));
  for (size_t i = 0; i <= from.size(); ++i) {
    for (size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const size_t changed = from[i - 1] == to[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + changed});
      const bool isSwapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (isSwapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[from.size()][to.size()];
}

}  // namespace

std::string_view closestWord(std::string_view word, std::span<const std::string_view> known) {
  std::string_view closest;
  size_t least = 0;
  for (const std::string_view candidate : known) {
    const size_t changes = distance(word, candidate);
    const size_t allowed = std::max<size_t>(1, std::max(word.size(), candidate.size()) / 3);
    if (changes > allowed || (!closest.empty() && changes >= least)) continue;
    closest = candidate;
    least = changes;
  }
  return closest;
}

Error unknownWord(std::string_view what, std::string_view word,
                  std::span<const std::string_view> known) {
  std::string text = "unknown ";
  text.append(what).append(" '").append(word).append("'");
  const std::string_view meant = closestWord(word, known);
  if (!meant.empty()) return {text.append(", did you mean '").append(meant).append("'?")};
  const char* before = ", known are ";
  for (const std::string_view each : known) {
    text.append(before).append(each);
    before = ", ";
  }
  return {text};
}

}  // namespace jitscope::trace
