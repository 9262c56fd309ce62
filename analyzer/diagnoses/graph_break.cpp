#include "analyzer/diagnoses/graph_break.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "analyzer/diagnoses/break_class.h"
#include "analyzer/diagnoses/break_story.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"

namespace jitscope::analyzer {
namespace {

/// The passes over one break.
struct BreakGroup {
  BreakClass breakClass = BreakClass::kOther;
  Place place;
  const Break* first = nullptr;
  int64_t captures = 0;
  Cost cost;
  std::vector<Occurrence> occurrences;
  std::set<std::string> frames;
  std::set<FrameIndex> frameIndices;
};

/// Whether breaks of a class at one place differ by the function that broke.
bool isNamedBy(BreakClass kind) {
  return kind == BreakClass::kUntraceableOperator || kind == BreakClass::kExtension ||
         kind == BreakClass::kBuiltin;
}

/// Groups passes by what a reader would call one break: kind, place and operator. Classifying and
/// finding the user's place are done once per different text, as there may be a row for every call.
class BreakGrouping {
 public:
  explicit BreakGrouping(const Run& run) : run_(run) {}

  void add(const Break& row) {
    BreakGroup& group = *groupOf(row);
    if (row.isFirst != 0)
      ++group.captures;
    else
      group.cost.timeNs += row.endNs - row.startNs;
    group.occurrences.push_back({row.process, row.frameIndex, row.thread, row.startNs, row.endNs});
  }

  std::map<std::string, BreakGroup> take() { return std::move(groups_); }

 private:
  using Texts = std::tuple<FrameIndex, trace::StringId, trace::StringId, trace::StringId>;

  BreakGroup* groupOf(const Break& row) {
    BreakGroup*& known = byTexts_[Texts{row.frameIndex, row.reason, row.op, row.stack}];
    if (known != nullptr) return known;
    const std::string_view op = run_.text(row.op);
    const BreakClass kind = breakClass(run_.text(row.reason), op, run_.text(row.explanation));
    const Place place = userPlace(run_.text(row.stack));
    std::string key = fmt::format("graph_break/{}/{}", name(kind), shortText(place));
    if (place.file.empty()) key += "/" + frameKey(run_, row.frameIndex);
    if (!op.empty() && isNamedBy(kind)) key += fmt::format("/{}", op);
    BreakGroup& group = groups_[key];
    if (group.first == nullptr) {
      group.first = &row;
      group.breakClass = kind;
      group.place = place;
    }
    group.frames.insert(frameName(run_, row.frameIndex));
    group.frameIndices.insert(row.frameIndex);
    known = &group;
    return known;
  }

  const Run& run_;
  std::map<Texts, BreakGroup*> byTexts_;
  std::map<std::string, BreakGroup> groups_;
};

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

Advice adviceOf(const Run& run, const BreakGroup& group) {
  const BreakStory story = breakStory(run, *group.first);
  Advice advice;
  const bool isSkip = group.breakClass == BreakClass::kFrameSkip;
  advice.title = fmt::format("{}: {}", isSkip ? "frame skipped" : "graph break", story.title);
  advice.cause =
      fmt::format("{}{} ends the graph of {}: {}", story.op.empty() ? "user code" : story.op,
                  story.inside, joined(group.frames), story.reason);
  if (run.frames[group.first->frameIndex].isFullgraph)
    advice.cause +=
        "; the function was compiled with fullgraph, which should make an error of it: the break "
        "is "
        "hidden, and so is its cost";
  advice.fix = story.fix;
  advice.certainty =
      group.breakClass == BreakClass::kOther ? Certainty::kUnknown : Certainty::kCertain;
  return advice;
}

/// What a call would take if its pieces were one graph.
std::optional<Estimate> estimateOf(const Subject& subject, const BreakGroup& group) {
  int64_t hits = 0, medianNs = 0;
  FrameIndex frame = FrameIndex::kNone;
  for (const FrameSummary& summary : subject.frames) {
    if (!group.frameIndices.contains(summary.frame) || summary.compiled.count == 0) continue;
    if (summary.compiled.count > hits) frame = summary.frame;
    hits = std::max(hits, summary.compiled.count);
    medianNs = std::max(medianNs, summary.compiled.medianNs);
  }
  const int64_t passNs = hits == 0 ? 0 : group.cost.timeNs / hits;
  if (passNs <= 0 || passNs >= medianNs) return std::nullopt;
  return Estimate{"a call of " + frameName(subject.run, frame), medianNs, medianNs - passNs,
                  "the pieces were one graph and what runs between them took no time in it"};
}

}  // namespace

std::vector<Finding> findGraphBreaks(const Subject& subject) {
  BreakGrouping grouping(subject.run);
  const FatalBreaks fatal(subject.run);
  for (const Break& row : subject.run.breaks) {
    // One that ended the compilation is told with the failure.
    if (!fatal.contains(row)) grouping.add(row);
  }
  std::vector<Finding> findings;
  for (auto& [key, group] : grouping.take()) {
    Finding finding;
    finding.kind = FindingKind::kGraphBreak;
    finding.causeClass = name(group.breakClass);
    finding.id = key;
    finding.advice = adviceOf(subject.run, group);
    finding.place = group.place;
    finding.cost = group.cost;
    finding.estimate = estimateOf(subject, group);
    const auto passes = static_cast<int64_t>(group.occurrences.size());
    setOccurrences(finding, "passes", std::move(group.occurrences),
                   {{"captures", group.captures}, {"later passes", passes - group.captures}});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
