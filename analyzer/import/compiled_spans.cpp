#include "analyzer/import/compiled_spans.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace jitscope::analyzer {
namespace {

using Span = CompiledSpans::Span;

constexpr std::string_view kLookup = "TorchDynamo Cache Lookup";
constexpr std::string_view kRegion = "Torch-Compiled Region";
constexpr std::string_view kGraph = "## Call CompiledFxGraph ";

bool isEarlier(const Span& a, const Span& b) {
  return std::tuple(a.thread, a.startNs, -a.endNs) < std::tuple(b.thread, b.startNs, -b.endNs);
}

bool isInside(const Span& inner, const Span& outer) {
  return inner.thread == outer.thread && inner.startNs >= outer.startNs &&
         inner.endNs <= outer.endNs;
}

/// Reads the F and C of a compile id "F/C"; -1 for what is not there.
std::pair<int64_t, int64_t> compileIdOf(std::string_view text) {
  int64_t frame = -1, attempt = -1;
  const size_t first = text.find_first_of("0123456789");
  if (first == std::string_view::npos) return {frame, attempt};
  const char* const end = text.data() + text.size();
  const char* next = std::from_chars(text.data() + first, end, frame).ptr;
  if (next < end && *next == '/') std::from_chars(next + 1, end, attempt);
  return {frame, attempt};
}

}  // namespace

bool CompiledSpans::take(std::string_view name, const Span& span, trace::MemoryTrace& trace) {
  if (name.starts_with(kRegion)) {
    const auto [frame, attempt] = compileIdOf(name.substr(kRegion.size()));
    regions_.push_back({span, trace::FrameId{frame}, trace::AttemptId{attempt}});
    return true;
  }
  if (name == kLookup) {
    lookups_.push_back(span);
    return true;
  }
  if (name.starts_with(kGraph)) {
    std::string_view key = name.substr(kGraph.size());
    key = key.substr(0, key.find(' '));
    graphs_.push_back({span, trace.intern(key)});
    return true;
  }
  return false;
}

void CompiledSpans::sort() {
  const auto bySpan = [](const auto& a, const auto& b) { return isEarlier(a.span, b.span); };
  std::sort(regions_.begin(), regions_.end(), bySpan);
  std::sort(graphs_.begin(), graphs_.end(), bySpan);
  std::sort(lookups_.begin(), lookups_.end(), isEarlier);
}

/// The region that starts last before `span` and holds it; regions do not nest on one thread.
CompiledSpans::Region* CompiledSpans::regionAround(const Span& span) {
  auto after = std::upper_bound(
      regions_.begin(), regions_.end(), span,
      [](const Span& wanted, const Region& region) { return isEarlier(wanted, region.span); });
  if (after == regions_.begin()) return nullptr;
  Region& region = *--after;
  return isInside(span, region.span) ? &region : nullptr;
}

void CompiledSpans::writeCalls(trace::MemoryTrace& trace) {
  size_t next = 0;
  for (const Region& region : regions_) {
    const Span* lookup = nullptr;
    while (next < lookups_.size() && isEarlier(lookups_[next], region.span)) {
      if (lookups_[next].thread == region.span.thread) lookup = &lookups_[next];
      ++next;
    }
    // Without a check in front there was none: the region was entered another way.
    if (lookup == nullptr || lookup->endNs > region.span.startNs) continue;
    emit(trace, trace::CallRow{.frame = region.frame,
                               .attempt = region.attempt,
                               .startNs = lookup->startNs,
                               .endNs = region.span.endNs,
                               .thread = region.span.thread,
                               .userCode = trace::UserCode::kSkipped,
                               .guardNs = lookup->endNs - lookup->startNs,
                               .segmentsRun = 1});
  }
}

void CompiledSpans::write(trace::MemoryTrace& trace, bool withCalls) {
  sort();
  std::vector<Region> loose;
  for (const Graph& graph : graphs_) {
    if (Region* const region = regionAround(graph.span)) {
      region->graph = graph.key;
    } else if (loose.empty() || !isInside(graph.span, loose.back().span)) {
      loose.push_back({.span = graph.span, .graph = graph.key});
    }
  }
  if (withCalls) writeCalls(trace);
  const auto writeRegion = [&](const Region& region) {
    emit(trace, trace::RegionRow{.frame = region.frame,
                                 .attempt = region.attempt,
                                 .startNs = region.span.startNs,
                                 .endNs = region.span.endNs,
                                 .thread = region.span.thread,
                                 .graph = region.graph});
  };
  std::for_each(regions_.begin(), regions_.end(), writeRegion);
  std::for_each(loose.begin(), loose.end(), writeRegion);
}

}  // namespace jitscope::analyzer
