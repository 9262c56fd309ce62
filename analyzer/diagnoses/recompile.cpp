#include "analyzer/diagnoses/recompile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/diagnoses/call_numbers.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/recompile_causes.h"
#include "analyzer/diagnoses/recompile_wording.h"
#include "analyzer/frame_name.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// Recompilations of one callable for one cause.
struct RecompileGroup {
  GuardStory story;  ///< of the first
  Place place;
  FrameIndex frame = FrameIndex::kNone;
  Cost cost;
  bool isAmbiguous = false;              ///< entries failed for different causes
  CallIndex slowest = CallIndex::kNone;  ///< that had to wait for a compilation
  MismatchCounter guards;
  std::vector<Occurrence> occurrences;
};

std::string keyOf(const Run& run, const GuardStory& story, FrameIndex frame) {
  const std::string dimension = story.dimension < 0 ? "" : fmt::format("[{}]", story.dimension);
  const bool isFirstDynamic =
      story.cause == GuardCause::kSize && story.becameDynamic.value_or(false);
  return fmt::format("recompile/{}/{}{}{}/{}", name(story.cause), variableOf(story.source),
                     dimension, isFirstDynamic ? "/automatic_dynamic" : "", frameKey(run, frame));
}

bool agree(const Run& run, const CausedCompile& caused) {
  for (const GuardFailureIndex index : caused.failures) {
    if (guardStory(run, run.guardFailures[index]).cause !=
        guardStory(run, run.guardFailures[caused.decisive()]).cause) {
      return false;
    }
  }
  return true;
}

/// Where the call came from; where the callable is when the recording has no stack.
Place placeOf(const Run& run, const CausedCompile& caused) {
  const Compile& compile = run.compiles[caused.compile];
  trace::StringId stack = compile.stack;
  if (exists(caused.decisive()) && run.text(stack).empty()) {
    stack = run.guardFailures[caused.decisive()].stack;
  }
  Place place = userPlace(run.text(stack));
  return place.file.empty() ? framePlace(run, compile.frameIndex) : place;
}

void addTo(RecompileGroup& group, const Run& run, const CausedCompile& caused) {
  const Compile& compile = run.compiles[caused.compile];
  group.cost.timeNs += compile.costNs();
  group.isAmbiguous |= !agree(run, caused);
  const bool isSlowest =
      exists(caused.call) && (!exists(group.slowest) || run.calls[caused.call].durationNs() >
                                                            run.calls[group.slowest].durationNs());
  if (isSlowest) group.slowest = caused.call;
  if (exists(caused.decisive())) group.guards.add(run, run.guardFailures[caused.decisive()]);
  group.occurrences.push_back(
      {compile.process, compile.frameIndex, compile.thread, compile.startNs, compile.endNs});
}

/// The values that came one after the other, as far as guards tell them: "16, 17, 18, …".
std::string valuesOf(const std::vector<GuardMismatch>& guards) {
  constexpr size_t kShown = 6;
  std::set<std::string> known;
  std::vector<std::string> values;
  for (const GuardMismatch& guard : guards) {
    for (const std::string& value : {guard.expected, guard.actual}) {
      if (!value.empty() && known.insert(value).second) values.push_back(value);
    }
  }
  // Numbers by size, as the order of guards says nothing.
  std::stable_sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return std::pair(a.size(), a) < std::pair(b.size(), b);
  });
  std::string text;
  for (size_t i = 0; i < values.size() && i < kShown; ++i) text += (i == 0 ? "" : ", ") + values[i];
  return values.size() < 3 ? "" : text + (values.size() > kShown ? ", …" : "");
}

bool isOfValues(GuardCause cause) {
  return cause == GuardCause::kSize || cause == GuardCause::kScalar ||
         cause == GuardCause::kString || cause == GuardCause::kAttribute ||
         cause == GuardCause::kGlobal || cause == GuardCause::kOptimizer ||
         cause == GuardCause::kLength || cause == GuardCause::kParameterShape;
}

/// Which call had to wait, and what it would have taken otherwise.
void addWaitingCall(Finding& finding, const Run& run, const RecompileGroup& group, int64_t number,
                    int64_t hitNs) {
  if (!exists(group.slowest)) return;
  const int64_t callNs = run.calls[group.slowest].durationNs();
  if (callNs <= 0) return;
  const std::string who = frameName(run, group.frame);
  finding.advice.cause +=
      fmt::format("; call {} of {} waited for it and took {}", number, who, durationText(callNs));
  if (hitNs <= 0 || hitNs >= callNs) return;
  if (!readAlike(hitNs, callNs)) finding.advice.cause += " instead of " + durationText(hitNs);
  finding.estimate = Estimate{fmt::format("call {} of {}", number, who), callNs, hitNs,
                              "an entry had served it as it serves the median hit"};
}

/// Whether no callable of any process was compiled again twice: ranks, and layers that share their
/// code, compile each for itself.
bool isOnceEach(const std::vector<Occurrence>& recompiles) {
  std::set<std::pair<ProcessIndex, FrameIndex>> known;
  return std::all_of(recompiles.begin(), recompiles.end(), [&](const Occurrence& each) {
    return known.emplace(each.process, each.frame).second;
  });
}

Finding findingOf(const Run& run, const std::string& key, RecompileGroup& group) {
  // The usual course of one change, which text without the log of dynamic shapes does not tell.
  GuardStory& story = group.story;
  if (story.cause == GuardCause::kSize && story.language == Language::kPython &&
      isOnceEach(group.occurrences) && !isOfCache(story) && !story.becameDynamic.value_or(true))
    story.becameDynamic = std::nullopt;
  Finding finding;
  finding.kind = FindingKind::kRecompile;
  finding.causeClass = name(story.cause);
  finding.id = key;
  finding.advice = recompileAdvice(story);
  finding.advice.cause = fmt::format("{}: {}", frameName(run, group.frame), finding.advice.cause);
  if (group.isAmbiguous && finding.advice.certainty == Certainty::kCertain) {
    finding.advice.certainty = Certainty::kLikely;
  }
  finding.place = group.place;
  finding.cost = group.cost;
  finding.guards = group.guards.take();
  if (const std::string values = valuesOf(finding.guards);
      isOfValues(story.cause) && !values.empty())
    finding.advice.cause += "; values that came: " + values;
  setOccurrences(finding, "recompilations", std::move(group.occurrences));
  return finding;
}

}  // namespace

std::vector<Finding> findRecompiles(const Subject& subject) {
  const Run& run = subject.run;
  std::map<std::string, RecompileGroup> groups;
  for (const CausedCompile& caused : causedCompiles(run)) {
    // One that failed has a finding of its own, which counts its cost.
    if (!run.text(run.compiles[caused.compile].failure).empty()) continue;
    GuardStory story = storyOf(run, caused);
    const FrameIndex frame = run.compiles[caused.compile].frameIndex;
    RecompileGroup& group = groups[keyOf(run, story, frame)];
    if (!exists(group.frame)) {
      group.frame = frame;
      group.story = std::move(story);
      group.place = placeOf(run, caused);
    }
    addTo(group, run, caused);
  }
  const std::map<std::string, FrameGroup> frames = frameGroups(subject);
  const CallNumbers numbers(run);
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding& finding = findings.emplace_back(findingOf(run, key, group));
    if (!exists(group.slowest)) continue;
    const FrameIndex frame = run.calls[group.slowest].frameIndex;
    addWaitingCall(finding, run, group, numbers.of(group.slowest),
                   frames.at(frameKey(run, frame)).hitMedianNs);
  }
  return findings;
}

}  // namespace jitscope::analyzer
