#include "analyzer/gate/config.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = error == std::errc() && end == text.data() + text.size();
  if (!isWhole || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

}  // namespace

trace::Result<Limit> parseLimit(std::string_view measure, std::string_view text) {
  Limit limit;
  limit.measure = findMeasure(measure);
  if (limit.measure == nullptr) {
    std::vector<std::string_view> known{kNewFindingsLimit};
    for (const Measure& each : allMeasures()) known.push_back(each.name);
    return trace::unknownWord("limit", measure, known);
  }
  const trace::Error wrong{fmt::format(
      "{} is not a limit: write a number, \"baseline\", \"baseline+N\" or \"baseline+N%\"",
      measure)};
  constexpr std::string_view kBaseline = "baseline";
  if (!text.starts_with(kBaseline)) {
    const std::optional<double> fixed = number(text);
    if (!fixed) return wrong;
    limit.fixed = *fixed;
    return limit;
  }
  limit.isOfBaseline = true;
  text.remove_prefix(kBaseline.size());
  if (text.empty()) return limit;
  if (text.front() != '+') return wrong;
  text.remove_prefix(1);
  const bool isPercent = text.ends_with('%');
  if (isPercent) text.remove_suffix(1);
  const std::optional<double> more = number(text);
  if (!more) return wrong;
  (isPercent ? limit.percent : limit.fixed) = *more;
  return limit;
}

bool matchesPattern(std::string_view pattern, std::string_view text) {
  // The last star and where its match ended: on a mismatch it takes one letter more.
  size_t star = std::string_view::npos, resumeAt = 0, p = 0, t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumeAt = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace jitscope::analyzer
