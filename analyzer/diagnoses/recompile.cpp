#include "analyzer/diagnoses/recompile.h"

#include <fmt/format.h>

#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/recompile_causes.h"
#include "analyzer/frame_name.h"

namespace jitscope::analyzer {
namespace {

/// Recompilations of one callable for one cause.
struct RecompileGroup {
  GuardStory story;  ///< of the first
  Place place;
  FrameIndex frame = FrameIndex::kNone;
  Cost cost;
  bool isAmbiguous = false;  ///< entries failed for different causes
  MismatchCounter guards;
  std::vector<Occurrence> occurrences;
};

std::string keyOf(const Run& run, const GuardStory& story, FrameIndex frame) {
  const std::string dimension = story.dimension < 0 ? "" : fmt::format("[{}]", story.dimension);
  const bool isFirstDynamic = story.cause == GuardCause::kSize && story.becameDynamic;
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
  if (exists(caused.decisive())) group.guards.add(run, run.guardFailures[caused.decisive()]);
  group.occurrences.push_back(
      {compile.process, compile.frameIndex, compile.thread, compile.startNs, compile.endNs});
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
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding finding;
    finding.kind = FindingKind::kRecompile;
    finding.causeClass = name(group.story.cause);
    finding.id = key;
    finding.advice = recompileAdvice(group.story);
    finding.advice.cause = fmt::format("{}: {}", frameName(run, group.frame), finding.advice.cause);
    if (group.isAmbiguous && finding.advice.certainty == Certainty::kCertain) {
      finding.advice.certainty = Certainty::kLikely;
    }
    finding.place = group.place;
    finding.cost = group.cost;
    finding.guards = group.guards.take();
    setOccurrences(finding, "recompilations", std::move(group.occurrences));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
