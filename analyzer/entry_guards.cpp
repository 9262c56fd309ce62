#include "analyzer/entry_guards.h"

#include <map>
#include <string>
#include <tuple>

#include "analyzer/diagnoses/guard_cause.h"

namespace jitscope::analyzer {
namespace {

template <class Row>
bool isOf(const Entry& entry, const Row& row) {
  return row.frameIndex == entry.frame && row.process == entry.process &&
         row.attempt == entry.attempt;
}

/// The guards of an entry, of which failures find theirs without looking at all of them.
class GuardIndex {
 public:
  explicit GuardIndex(const Run& run) : run_(run) {}

  void add(const EntryGuard& guard) {
    const size_t at = guards_.size();
    byVariable_.try_emplace(variableKey(guard.kind, guard.source), at);
    bySource_.try_emplace(guard.source, at);
    guards_.push_back(guard);
  }

  void count(const GuardFailure& failure) {
    EntryGuard* guard = find(failure);
    if (guard == nullptr) {
      add({failure.kind, failure.source, failure.text, failure.stack});
      guard = &guards_.back();
    }
    ++guard->failureCount;
  }

  std::vector<EntryGuard> take() { return std::move(guards_); }

 private:
  /// Kind and variable; the source, too, where it names no variable.
  using VariableKey = std::tuple<trace::StringId, std::string, trace::StringId>;

  VariableKey variableKey(trace::StringId kind, trace::StringId source) const {
    std::string variable = variableOf(run_.text(source));
    const trace::StringId unnamed = variable.empty() ? source : trace::StringId{};
    return {kind, std::move(variable), unnamed};
  }

  /// The guard that a failure is of: of its kind at its variable (logs name the variable alone),
  /// else the first at its source.
  EntryGuard* find(const GuardFailure& failure) {
    const auto same = byVariable_.find(variableKey(failure.kind, failure.source));
    if (same != byVariable_.end()) return &guards_[same->second];
    const auto beside = bySource_.find(failure.source);
    return beside == bySource_.end() ? nullptr : &guards_[beside->second];
  }

  const Run& run_;
  std::vector<EntryGuard> guards_;
  // The first guard of each, by its place among the guards.
  std::map<VariableKey, size_t> byVariable_;
  std::map<trace::StringId, size_t> bySource_;
};

}  // namespace

std::vector<EntryGuard> guardsOf(const Run& run, const Entry& entry) {
  GuardIndex guards(run);
  for (const Guard& guard : run.guards) {
    if (isOf(entry, guard)) guards.add({guard.kind, guard.source, guard.expression, guard.stack});
  }
  for (const GuardFailure& failure : run.guardFailures) {
    if (isOf(entry, failure)) guards.count(failure);
  }
  return guards.take();
}

}  // namespace jitscope::analyzer
