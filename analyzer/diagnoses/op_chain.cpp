#include "analyzer/diagnoses/op_chain.h"

#include <algorithm>

namespace jitscope::analyzer {

using trace::OpRow;

OpChain::OpChain(const Run& run, const Lane& lane)
    : run_(run), process_(run.processes[lane.process]), ops_(lane.ops) {
  std::vector<size_t> open;
  for (size_t i = 0; i < ops_.size(); ++i) {
    starts_.push_back(process_.ops.get<&OpRow::startNs>(position(ops_[i])));
    ends_.push_back(process_.ops.get<&OpRow::endNs>(position(ops_[i])));
    while (!open.empty() && ends_[open.back()] < ends_[i]) open.pop_back();
    while (!open.empty() && ends_[open.back()] <= starts_[i]) open.pop_back();
    parents_.push_back(open.empty() ? kNone : open.back());
    open.push_back(i);
  }
}

size_t OpChain::lastStart(int64_t timeNs) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), timeNs);
  return after == starts_.begin() ? kNone : static_cast<size_t>(after - starts_.begin()) - 1;
}

std::string_view OpChain::nameAt(size_t at) const {
  return run_.text(process_.ops.get<&OpRow::name>(position(ops_[at])));
}

std::string_view OpChain::innermostAt(int64_t timeNs) const {
  size_t at = lastStart(timeNs);
  while (at != kNone && ends_[at] < timeNs) at = parents_[at];
  return at == kNone ? std::string_view() : nameAt(at);
}

std::string_view OpChain::outermostLike(int64_t timeNs, std::string_view front) const {
  size_t at = lastStart(timeNs);
  while (at != kNone && ends_[at] < timeNs) at = parents_[at];
  std::string_view name;
  for (; at != kNone && nameAt(at).starts_with(front); at = parents_[at]) name = nameAt(at);
  return name;
}

std::string_view OpChain::fillerOf(int64_t startNs, int64_t endNs) const {
  size_t best = kNone;
  const auto consider = [&](size_t at) {
    // Nothing is shared with what has ended long before.
    const int64_t sharedNs =
        std::max<int64_t>(0, std::min(endNs, ends_[at]) - std::max(startNs, starts_[at]));
    if (2 * sharedNs < endNs - startNs) return;
    const bool isSmaller = best == kNone || ends_[at] - starts_[at] < ends_[best] - starts_[best];
    if (isSmaller) best = at;
  };
  const size_t first = lastStart(startNs);
  for (size_t at = first; at != kNone; at = parents_[at]) consider(at);
  for (size_t at = first == kNone ? 0 : first + 1; at < ops_.size() && starts_[at] < endNs; ++at) {
    consider(at);
  }
  return best == kNone ? std::string_view() : nameAt(best);
}

}  // namespace jitscope::analyzer
