#include "analyzer/diagnoses/recompile_causes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace jitscope::analyzer {
namespace {

/// One attempt of one frame in one process.
using AttemptKey = std::tuple<ProcessIndex, trace::FrameId, trace::AttemptId>;

std::map<AttemptKey, CallIndex> compilingCalls(const Run& run) {
  std::map<AttemptKey, CallIndex> calls;
  for (size_t i = 0; i < run.calls.size(); ++i) {
    const CallIndex index = run.calls.indexAt(i);
    const Call& call = run.calls[index];
    if (call.outcome != trace::CallOutcome::kCompiled) continue;
    calls.try_emplace({call.process, call.frame, call.attempt}, index);
  }
  return calls;
}

}  // namespace

std::vector<CausedCompile> causedCompiles(const Run& run) {
  std::map<AttemptKey, std::vector<GuardFailureIndex>> byCompile;
  for (size_t i = 0; i < run.guardFailures.size(); ++i) {
    const GuardFailureIndex index = run.guardFailures.indexAt(i);
    const GuardFailure& failure = run.guardFailures[index];
    if (failure.caused == trace::AttemptId::kNone) continue;
    byCompile[{failure.process, failure.frame, failure.caused}].push_back(index);
  }
  const std::map<AttemptKey, CallIndex> calls = compilingCalls(run);
  std::vector<CausedCompile> result;
  for (size_t i = 0; i < run.compiles.size(); ++i) {
    const CompileIndex index = run.compiles.indexAt(i);
    const Compile& compile = run.compiles[index];
    if (compile.attempt < trace::AttemptId{1}) continue;
    const AttemptKey key{compile.process, compile.frame, compile.attempt};
    CausedCompile caused{index, {}, CallIndex::kNone};
    if (const auto known = byCompile.find(key); known != byCompile.end()) {
      caused.failures = known->second;
    }
    if (const auto known = calls.find(key); known != calls.end()) caused.call = known->second;
    std::stable_sort(caused.failures.begin(), caused.failures.end(), [&](auto a, auto b) {
      return run.guardFailures[a].attempt > run.guardFailures[b].attempt;
    });
    result.push_back(std::move(caused));
  }
  return result;
}

GuardStory storyOf(const Run& run, const CausedCompile& caused) {
  const Compile& compile = run.compiles[caused.compile];
  GuardFailure told;
  told.text = compile.trigger;
  const GuardFailureIndex decisive = caused.decisive();
  GuardStory story = guardStory(run, exists(decisive) ? run.guardFailures[decisive] : told);
  story.becameDynamic = compile.isDynamic != 0;
  story.language = languageOf(run, compile.process, compile.frameIndex);
  return story;
}

}  // namespace jitscope::analyzer
