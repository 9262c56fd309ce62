#include "analyzer/diagnoses/eager_fallback.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"

namespace jitscope::analyzer {
namespace {

/// The functions that a limit explains.
std::set<std::string> namesAtLimit(const Run& run) {
  std::set<FrameIndex> frames;
  for (const Call& call : run.calls) {
    if (call.outcome == trace::CallOutcome::kLimit) frames.insert(call.frameIndex);
  }
  std::set<std::string> names;
  for (const FrameIndex frame : frames) names.insert(frameName(run, frame));
  return names;
}

Advice adviceOf(const std::string& who) {
  Advice advice;
  advice.title = fmt::format("eager fallback: {} runs unfused", who);
  advice.cause = fmt::format(
      "{} was called outside of compiled code, so it runs an unfused implementation that "
      "materialises the full scores matrix (batch x heads x queries x keys): slower and larger by "
      "orders than the compiled kernel",
      who);
  advice.fix = fmt::format(
      "compile it: {} = torch.compile({}), or call it inside of a compiled function; where that is "
      "so already, look for a graph break or a skipped frame around the call "
      "(TORCH_LOGS=\"graph_breaks,recompiles\")",
      who, who);
  return advice;
}

}  // namespace

std::vector<Finding> findEagerFallbacks(const Subject& subject) {
  const Run& run = subject.run;
  std::map<std::string, std::vector<Occurrence>> byFunction;
  for (const Artifact& row : run.artifacts) {
    if (run.text(row.kind) != "eager_fallback") continue;
    byFunction[std::string(run.text(row.name))].push_back(
        {row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
  }
  const std::set<std::string> atLimit = namesAtLimit(run);
  std::vector<Finding> findings;
  for (auto& [who, occurrences] : byFunction) {
    if (atLimit.contains(who)) continue;
    Finding finding;
    finding.kind = FindingKind::kEagerFallback;
    finding.causeClass = "unfused_fallback";
    finding.id = "eager_fallback/" + who;
    finding.advice = adviceOf(who);
    setOccurrences(finding, "warnings", std::move(occurrences));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
