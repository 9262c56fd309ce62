#include "analyzer/diff/align.h"

#include <map>

#include "analyzer/is_digit.h"

namespace jitscope::analyzer {
namespace {

using Positions = std::map<std::string, std::vector<size_t>>;

/// The positions of a list that have no partner yet, by their text without numbers.
Positions loosePositions(const std::vector<std::string>& texts, const std::vector<bool>& isTaken) {
  Positions positions;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!isTaken[i]) positions[withoutNumbers(texts[i])].push_back(i);
  }
  return positions;
}

}  // namespace

std::string withoutNumbers(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool startsLine = text[i] == ':' && i + 1 < text.size() && isDigit(text[i + 1]);
    if (!startsLine) {
      result += text[i];
      continue;
    }
    while (i + 1 < text.size() && isDigit(text[i + 1])) ++i;
  }
  const size_t last = result.find_last_not_of("0123456789");
  if (last != std::string::npos && result[last] == '_' && last + 1 < result.size())
    result.resize(last);
  return result;
}

std::vector<Aligned> align(const std::vector<std::string>& before,
                           const std::vector<std::string>& after) {
  std::map<std::string_view, std::vector<size_t>> exact;
  for (size_t i = before.size(); i-- > 0;) exact[before[i]].push_back(i);
  std::vector<bool> beforeTaken(before.size()), afterTaken(after.size());
  std::vector<Aligned> result(after.size());
  for (size_t i = 0; i < after.size(); ++i) {
    result[i].after = i;
    const auto found = exact.find(after[i]);
    if (found == exact.end() || found->second.empty()) continue;
    result[i].before = found->second.back();
    found->second.pop_back();
    beforeTaken[*result[i].before] = afterTaken[i] = true;
  }
  const Positions looseBefore = loosePositions(before, beforeTaken);
  for (const auto& [text, positions] : loosePositions(after, afterTaken)) {
    const auto found = looseBefore.find(text);
    if (found == looseBefore.end() || found->second.size() != 1 || positions.size() != 1) continue;
    result[positions.front()].before = found->second.front();
    beforeTaken[found->second.front()] = true;
  }
  for (size_t i = 0; i < before.size(); ++i) {
    if (!beforeTaken[i]) result.push_back({i, std::nullopt});
  }
  return result;
}

}  // namespace jitscope::analyzer
