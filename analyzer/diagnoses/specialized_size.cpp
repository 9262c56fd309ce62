#include "analyzer/diagnoses/specialized_size.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/guard_cause.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"

namespace jitscope::analyzer {
namespace {

/// One place that made one size a constant.
struct SizeGroup {
  FrameIndex frame = FrameIndex::kNone;
  const Specialization* first = nullptr;
  Place place;
  std::set<int64_t> values;
  std::vector<Occurrence> occurrences;
};

std::string valuesText(const std::set<int64_t>& values) {
  constexpr size_t kShown = 4;
  std::string text;
  size_t shown = 0;
  for (const int64_t value : values) {
    if (shown++ == kShown) return text + ", …";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  }
  return text;
}

Advice adviceOf(const Run& run, const SizeGroup& group) {
  const std::string_view source = run.text(group.first->source);
  const std::string_view reason = run.text(group.first->reason);
  const std::string variable = variableOf(source);
  Advice advice;
  advice.title =
      fmt::format("specialised size: {} is a constant ({})", source, valuesText(group.values));
  advice.cause = fmt::format("{} became a constant of {}{}{}", source, frameName(run, group.frame),
                             reason.empty() ? "" : ": ", reason);
  if (languageOf(run, group.first->process, group.frame) == Language::kPython) {
    advice.fix = fmt::format(
        "do not compare or compute with the size of {} in Python where it decides what is done (an "
        "if on {}.size(…), int(…)); TORCH_LOGS=\"dynamic\" prints the line that makes it a "
        "constant. "
        "If the size is meant to be fixed, say so with torch._dynamo.mark_static({}, dimension); "
        "torch._dynamo.maybe_mark_dynamic allows a constant where mark_dynamic makes it an error",
        variable, variable, variable);
    return advice;
  }
  advice.fix = fmt::format(
      "do not compute with {}.size() in C++ where it decides what is done: use -1 in view and "
      "reshape, expand_as, *_like operators; if the size is meant to be fixed, say so with "
      "jitscope::markStatic({}, dimension)",
      variable, variable);
  return advice;
}

}  // namespace

std::vector<Finding> findSpecializedSizes(const Subject& subject) {
  const Run& run = subject.run;
  std::map<std::string, SizeGroup> groups;
  for (const Specialization& row : run.specializations) {
    const Place place = userPlace(run.text(row.stack));
    const std::string key = fmt::format("specialized_size/{}/{}/{}", run.text(row.source),
                                        shortText(place), frameKey(run, row.frameIndex));
    SizeGroup& group = groups[key];
    if (group.first == nullptr) {
      group.first = &row;
      group.frame = row.frameIndex;
      group.place = place;
    }
    group.values.insert(row.value);
    group.occurrences.push_back({row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
  }
  std::vector<Finding> findings;
  for (auto& [key, group] : groups) {
    Finding finding;
    finding.kind = FindingKind::kSpecializedSize;
    finding.causeClass = "specialized_size";
    finding.id = key;
    finding.advice = adviceOf(run, group);
    finding.place = group.place.file.empty() ? framePlace(run, group.frame) : group.place;
    setOccurrences(finding, "specialisations", std::move(group.occurrences),
                   {{"values", static_cast<int64_t>(group.values.size())}});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
