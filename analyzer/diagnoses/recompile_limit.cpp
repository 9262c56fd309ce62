#include "analyzer/diagnoses/recompile_limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/diagnoses/call_numbers.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/guard_cause.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"
#include "analyzer/measure/durations.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// The calls themselves.
struct LimitCalls {
  CallIndex first = CallIndex::kNone;
  std::vector<int64_t> durations;
  int64_t hitNs = 0;  ///< the median call that an entry served; 0 when none was
};

/// The calls of one callable that ran eagerly because of the limit.
struct LimitGroup {
  FrameIndex frame = FrameIndex::kNone;
  LimitCalls calls;
  std::string limit;  ///< "recompile_limit (8)"; empty when not told
  Cost cost;
  std::vector<Occurrence> occurrences;
  std::map<GuardCause, int64_t> causes;
  std::map<GuardCause, GuardStory> stories;  ///< the first of each cause
  bool isFatal = false;    ///< the program asked for an error instead of running eagerly
  bool isUnfused = false;  ///< it warned that what it runs is much slower than eager code is
  Language language = Language::kCpp;
  trace::StringId stack{};
  MismatchCounter guards;
};

using LimitGroups = std::map<std::string, LimitGroup>;

LimitGroups groupCalls(const Subject& subject) {
  const std::map<std::string, FrameGroup> frames = frameGroups(subject);
  LimitGroups groups;
  for (size_t i = 0; i < subject.run.calls.size(); ++i) {
    const CallIndex index = subject.run.calls.indexAt(i);
    const Call& call = subject.run.calls[index];
    if (call.outcome != trace::CallOutcome::kLimit) continue;
    const std::string key = frameKey(subject.run, call.frameIndex);
    LimitGroup& group = groups[key];
    if (!exists(group.frame)) {
      group.frame = call.frameIndex;
      group.calls.first = index;
      group.language = languageOf(subject.run, call.process, call.frameIndex);
    }
    const int64_t hitNs = group.calls.hitNs = frames.at(key).hitMedianNs;
    group.calls.durations.push_back(call.durationNs());
    if (hitNs > 0) group.cost.timeNs += std::max<int64_t>(0, call.durationNs() - hitNs);
    group.occurrences.push_back(
        {call.process, call.frameIndex, call.thread, call.startNs, call.endNs});
  }
  return groups;
}

void addFailures(const Run& run, LimitGroups& groups) {
  for (const GuardFailure& failure : run.guardFailures) {
    if (failure.caused != trace::AttemptId::kNone) continue;
    const auto group = groups.find(frameKey(run, failure.frameIndex));
    if (group == groups.end()) continue;
    const GuardStory story = guardStory(run, failure);
    if (story.cause == GuardCause::kDivergence) continue;
    ++group->second.causes[story.cause];
    group->second.stories.try_emplace(story.cause, story);
    if (group->second.stack == trace::StringId{}) group->second.stack = failure.stack;
    group->second.guards.add(run, failure);
  }
}

/// What the program said beside: that the limit is an error, that it runs unfused.
void addRemarks(const Run& run, LimitGroups& groups) {
  bool isFatal = false;
  std::set<std::string_view> unfused;
  for (const Artifact& row : run.artifacts) {
    const std::string_view kind = run.text(row.kind);
    const std::string_view told = run.text(row.name);
    isFatal |= told == "FailOnRecompileLimitHit";
    if (kind == "eager_fallback") unfused.insert(told);
    if (kind != "recompile_limit" || !exists(row.frameIndex)) continue;
    const auto group = groups.find(frameKey(run, row.frameIndex));
    if (group != groups.end()) group->second.limit = told;
  }
  for (auto& [key, group] : groups) {
    group.isFatal = isFatal;
    group.isUnfused = unfused.contains(frameName(run, group.frame));
  }
}

/// The limit's own part of a fix.
std::string limitFix(const LimitGroup& group) {
  return group.language == Language::kPython
             ? "; raise torch._dynamo.config.recompile_limit (before 2.6 cache_size_limit) only if "
               "the number of variants is bounded"
             : "; raise CompileOptions::recompileLimit only if the number of variants is bounded";
}

/// What follows from the limit, loudest first.
std::string consequence(const Run& run, const LimitGroup& group) {
  const std::string name = frameName(run, group.frame);
  if (group.isUnfused) {
    return fmt::format(
        "{} runs the unfused eager fallback, which materialises the full scores "
        "matrix: slower and larger by orders than the compiled kernel",
        name);
  }
  if (group.isFatal) return fmt::format("the limit is fatal for {} because of fullgraph", name);
  return fmt::format("{} runs eagerly", name);
}

/// A size that is a constant although many entries were made: something makes it one.
std::string specialisationSuspects(const LimitGroup& group, GuardCause cause) {
  if (group.language != Language::kPython || cause != GuardCause::kSize) return {};
  return "; a size that is still a constant after that many compilations is specialised by "
         "something: an operator's shape rule (meta registration, e.g. of convolution or "
         "upsampling) or DDPOptimizer; TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED=\"<the guard>\" "
         "prints the line that adds it";
}

Advice adviceOf(const Run& run, const LimitGroup& group) {
  Advice advice;
  advice.title = "recompile limit reached: " + consequence(run, group);
  advice.certainty = Certainty::kLikely;
  const std::string full =
      fmt::format("{} has as many entries as it may have{}, so calls that fit none of them {}",
                  frameName(run, group.frame), group.limit.empty() ? "" : " by " + group.limit,
                  group.isFatal ? "are an error" : "run eagerly");
  if (group.causes.empty()) {
    advice.cause = full + "; the recording does not tell which guards failed";
    advice.fix = group.language == Language::kPython
                     ? "TORCH_LOGS=\"recompiles\" prints why each entry did not fit"
                     : "JITSCOPE_LOGS=\"recompiles\" prints why each entry did not fit";
    advice.certainty = Certainty::kUnknown;
    return advice;
  }
  const auto most =
      std::max_element(group.causes.begin(), group.causes.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const Advice recompile = recompileAdvice(group.stories.at(most->first));
  advice.cause = fmt::format("{}; {}{}{}", full, group.causes.size() > 1 ? "mostly " : "",
                             recompile.cause, specialisationSuspects(group, most->first));
  advice.fix = recompile.fix;
  if (advice.fix.find("recompile_limit") == std::string::npos) advice.fix += limitFix(group);
  return advice;
}

/// What the number of occurrences counts. A log tells of the limit when it is reached, not of every
/// call beyond it, and of no durations.
const char* countedThing(const Run& run, const LimitGroup& group) {
  const bool isLogged =
      std::any_of(run.inputs.begin(), run.inputs.end(),
                  [](const Input& input) { return input.format.starts_with("TORCH_"); }) &&
      std::all_of(group.calls.durations.begin(), group.calls.durations.end(),
                  [](int64_t durationNs) { return durationNs == 0; });
  if (isLogged) return "limit messages";
  return group.isFatal ? "refused calls" : "eager calls";
}

/// From which call on, and what such a call would take if an entry served it.
void addFirstCall(Finding& finding, const Run& run, const LimitGroup& group,
                  const CallNumbers& numbers) {
  const int64_t callNs = medianOf(group.calls.durations);
  if (callNs <= 0) return;  // a log tells that it happened, not how long it took
  const std::string who = frameName(run, group.frame);
  finding.advice.cause += fmt::format("; the first is call {} of {}, and such a call takes {}",
                                      numbers.of(group.calls.first), who, durationText(callNs));
  const int64_t hitNs = group.calls.hitNs;
  if (hitNs <= 0 || hitNs >= callNs) return;
  if (!readAlike(hitNs, callNs)) finding.advice.cause += " instead of " + durationText(hitNs);
  finding.estimate = Estimate{"a call of " + who + " that fits no entry", callNs, hitNs,
                              "an entry served it as it serves the median hit"};
}

}  // namespace

std::vector<Finding> findRecompileLimits(const Subject& subject) {
  const Run& run = subject.run;
  const CallNumbers numbers(run);
  LimitGroups groups = groupCalls(subject);
  addFailures(run, groups);
  addRemarks(run, groups);
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding finding;
    finding.kind = FindingKind::kRecompileLimit;
    finding.causeClass = group.isUnfused ? "unfused_fallback" : group.isFatal ? "fatal" : "limit";
    finding.id = "recompile_limit/" + key;
    finding.advice = adviceOf(run, group);
    finding.place = userPlace(run.text(group.stack));
    if (finding.place.file.empty()) finding.place = framePlace(run, group.frame);
    finding.cost = group.cost;
    finding.guards = group.guards.take();
    addFirstCall(finding, run, group, numbers);
    setOccurrences(finding, countedThing(run, group), std::move(group.occurrences));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
