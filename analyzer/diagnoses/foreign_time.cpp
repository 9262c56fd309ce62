#include "analyzer/diagnoses/foreign_time.h"

#include <algorithm>

namespace jitscope::analyzer {

ForeignTime::ForeignTime(const Run& run, ProcessIndex process) {
  const auto add = [&](const auto& row) {
    if (row.process == process && row.startNs < row.endNs)
      spans_.emplace_back(row.startNs, row.endNs);
  };
  for (const Compile& compile : run.compiles) add(compile);
  for (const Break& each : run.breaks) add(each);
  for (const Call& call : run.calls) {
    if (call.outcome == trace::CallOutcome::kCompiled) add(call);
  }
  std::sort(spans_.begin(), spans_.end());
  size_t kept = 0;
  for (const Span& span : spans_) {
    if (kept > 0 && span.first <= spans_[kept - 1].second)
      spans_[kept - 1].second = std::max(spans_[kept - 1].second, span.second);
    else
      spans_[kept++] = span;
  }
  spans_.resize(kept);
}

int64_t ForeignTime::within(int64_t startNs, int64_t endNs) const {
  auto span = std::partition_point(spans_.begin(), spans_.end(),
                                   [&](const Span& each) { return each.second <= startNs; });
  int64_t sharedNs = 0;
  for (; span != spans_.end() && span->first < endNs; ++span)
    sharedNs += std::min(endNs, span->second) - std::max(startNs, span->first);
  return sharedNs;
}

}  // namespace jitscope::analyzer
