#include "analyzer/diagnoses/plain_segment.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"

namespace jitscope::analyzer {
namespace {

/// One reason at one place.
struct PlainGroup {
  const Artifact* first = nullptr;
  Place place;
  std::vector<Occurrence> occurrences;
};

/// What to write instead, by a part of the reason's text.
std::string fixOf(std::string_view reason) {
  constexpr std::pair<std::string_view, const char*> kFixes[] = {
      {"under autograd",
       "give a new tensor (mul instead of mul_) where gradients flow, or write under NoGradGuard"},
      {"generator", "use the default generator, seeded with torch::manual_seed"},
      {"requires_grad", "set requires_grad before the tensor is used, outside of the function"},
      {"goes on in more than",
       "let fewer values steer the function: select with torch::where, make a number that varies a "
       "tensor"},
      {"pointer",
       "read and write the tensor by operators, or make the pointer's code a custom "
       "operator (TORCH_LIBRARY)"},
      {"its graph failed", "see the error: an operator fails that user code does not always reach"},
      {"other effects", "give the operator a result that is used, or move it out of the function"},
  };
  for (const auto& [part, fix] : kFixes) {
    if (reason.find(part) != std::string_view::npos) return fix;
  }
  return "move what the reason names out of the compiled function";
}

Advice adviceOf(const Run& run, const Artifact& row) {
  const std::string_view reason = run.text(row.name);
  Advice advice;
  advice.title = fmt::format("segment not compiled: {}", reason);
  advice.cause = fmt::format("a segment of {} runs operator by operator in every call: {}",
                             frameName(run, row.frameIndex), reason);
  advice.fix = fixOf(reason);
  advice.certainty = Certainty::kCertain;
  return advice;
}

}  // namespace

std::vector<Finding> findPlainSegments(const Subject& subject) {
  const Run& run = subject.run;
  std::map<std::string, PlainGroup> groups;
  for (const Artifact& row : run.artifacts) {
    if (run.text(row.kind) != "plain_segment") continue;
    const Place place = userPlace(run.text(row.content));
    PlainGroup& group = groups[fmt::format("plain_segment/{}/{}/{}", run.text(row.name),
                                           shortText(place), frameKey(run, row.frameIndex))];
    if (group.first == nullptr) {
      group.first = &row;
      group.place = place;
    }
    group.occurrences.push_back({row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
  }
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding finding;
    finding.kind = FindingKind::kPlainSegment;
    finding.causeClass = "plain_segment";
    finding.id = key;
    finding.advice = adviceOf(run, *group.first);
    finding.place =
        group.place.file.empty() ? framePlace(run, group.first->frameIndex) : group.place;
    setOccurrences(finding, "segments", std::move(group.occurrences));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
