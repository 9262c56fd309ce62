#include "analyzer/entry_guards.h"

namespace jitscope::analyzer {
namespace {

template <class Row>
bool isOf(const Entry& entry, const Row& row) {
  return row.frameIndex == entry.frame && row.process == entry.process &&
         row.attempt == entry.attempt;
}

/// The guard that a failure is of; of several at the same source the one of its kind.
EntryGuard* find(std::vector<EntryGuard>& guards, const GuardFailure& failure) {
  EntryGuard* found = nullptr;
  for (EntryGuard& guard : guards) {
    if (guard.source != failure.source) continue;
    if (guard.kind == failure.kind) return &guard;
    if (found == nullptr) found = &guard;
  }
  return found;
}

}  // namespace

std::vector<EntryGuard> guardsOf(const Run& run, const Entry& entry) {
  std::vector<EntryGuard> guards;
  for (const Guard& guard : run.guards) {
    if (isOf(entry, guard))
      guards.push_back({guard.kind, guard.source, guard.expression, guard.stack});
  }
  for (const GuardFailure& failure : run.guardFailures) {
    if (!isOf(entry, failure)) continue;
    EntryGuard* guard = find(guards, failure);
    if (guard == nullptr) {
      guards.push_back({failure.kind, failure.source, failure.text, failure.stack});
      guard = &guards.back();
    }
    ++guard->failureCount;
  }
  return guards;
}

}  // namespace jitscope::analyzer
