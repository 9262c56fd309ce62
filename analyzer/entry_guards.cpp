#include "analyzer/entry_guards.h"

#include "analyzer/diagnoses/guard_cause.h"

namespace jitscope::analyzer {
namespace {

template <class Row>
bool isOf(const Entry& entry, const Row& row) {
  return row.frameIndex == entry.frame && row.process == entry.process &&
         row.attempt == entry.attempt;
}

/// The guard that a failure is of: of its kind at its variable (logs name the variable alone), else
/// the first at its source.
EntryGuard* find(const Run& run, std::vector<EntryGuard>& guards, const GuardFailure& failure) {
  const std::string variable = variableOf(run.text(failure.source));
  EntryGuard* found = nullptr;
  for (EntryGuard& guard : guards) {
    const bool isSameVariable =
        guard.source == failure.source ||
        (!variable.empty() && variableOf(run.text(guard.source)) == variable);
    if (guard.kind == failure.kind && isSameVariable) return &guard;
    if (guard.source == failure.source && found == nullptr) found = &guard;
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
    EntryGuard* guard = find(run, guards, failure);
    if (guard == nullptr) {
      guards.push_back({failure.kind, failure.source, failure.text, failure.stack});
      guard = &guards.back();
    }
    ++guard->failureCount;
  }
  return guards;
}

}  // namespace jitscope::analyzer
