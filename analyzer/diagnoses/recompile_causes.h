#pragma once

#include <vector>

#include "analyzer/diagnoses/guard_cause.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A recompilation with the guard failures that led to it, one for each entry that was tried.
struct CausedCompile {
  CompileIndex compile = CompileIndex::kNone;
  std::vector<GuardFailureIndex> failures;  ///< of the newest entry first
  CallIndex call = CallIndex::kNone;        ///< the call that had to wait for it, if recorded

  /// The failure that tells the cause: of the newest entry, which is the most general one; kNone
  /// when the recording has none.
  GuardFailureIndex decisive() const {
    return failures.empty() ? GuardFailureIndex::kNone : failures.front();
  }
};

/// All recompilations (attempt >= 1) of a run, by start time.
std::vector<CausedCompile> causedCompiles(const Run& run);

/// Why it compiled again: from its decisive failure, else from the words of its trigger.
GuardStory storyOf(const Run& run, const CausedCompile& caused);

}  // namespace jitscope::analyzer
