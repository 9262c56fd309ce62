#include "analyzer/import/span_nesting.h"

#include <algorithm>
#include <tuple>

namespace jitscope::analyzer {
namespace {

constexpr size_t kMostSpans = size_t{4} << 20;
constexpr size_t kMostNames = size_t{1} << 20;

}  // namespace

void SpanNesting::add(int64_t thread, int64_t startNs, int64_t endNs, std::string_view annotation) {
  if (++count_ > kMostSpans) return byThread_.clear();
  const bool isAnnotation = !annotation.empty() && names_.size() < kMostNames;
  if (isAnnotation) names_.emplace_back(annotation);
  const auto index = isAnnotation ? static_cast<int32_t>(names_.size() - 1) : -1;
  byThread_[thread].push_back({startNs, endNs, index});
}

std::vector<std::string> SpanNesting::crossing() {
  std::vector<std::string> result;
  if (count_ > kMostSpans || names_.empty()) return result;
  std::vector<Span> found;
  for (auto& [thread, spans] : byThread_) addCrossing(spans, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Span& a, const Span& b) { return a.startNs < b.startNs; });
  result.reserve(found.size());
  for (const Span& each : found) result.push_back(names_[static_cast<size_t>(each.annotation)]);
  return result;
}

void SpanNesting::addCrossing(std::vector<Span>& spans, std::vector<Span>& found) const {
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::tuple(a.startNs, b.endNs) < std::tuple(b.startNs, a.endNs);
  });
  std::vector<int64_t> openEnds;
  for (const Span& span : spans) {
    while (!openEnds.empty() && openEnds.back() <= span.startNs) openEnds.pop_back();
    const bool isCrossing = !openEnds.empty() && span.endNs > openEnds.back();
    if (isCrossing && span.annotation >= 0) found.push_back(span);
    if (!isCrossing) openEnds.push_back(span.endNs);
  }
}

}  // namespace jitscope::analyzer
