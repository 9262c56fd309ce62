#include "analyzer/diagnoses/graph_break.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "analyzer/diagnoses/break_class.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"

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
    known = &group;
    return known;
  }

  const Run& run_;
  std::map<Texts, BreakGroup*> byTexts_;
  std::map<std::string, BreakGroup> groups_;
};

/// The number of the break in PyTorch's registry, as `GB0124`, from the page that a hint names.
std::string registryNumber(std::string_view hint) {
  constexpr std::string_view kMark = "/gb/gb";
  const size_t at = hint.find(kMark);
  if (at == std::string_view::npos) return {};
  const std::string_view digits = hint.substr(at + kMark.size());
  return " (GB" + std::string(digits.substr(0, digits.find_first_not_of("0123456789"))) + ")";
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

Advice adviceOf(const Run& run, const BreakGroup& group) {
  const std::string_view reason = run.text(group.first->reason);
  const std::string_view op = run.text(group.first->op);
  const std::string_view hint = run.text(group.first->hint);
  Advice advice;
  const bool isSkip = group.breakClass == BreakClass::kFrameSkip;
  const bool isPython =
      languageOf(run, group.first->process, group.first->frameIndex) == Language::kPython;
  advice.title =
      fmt::format("{}: {}", isSkip ? "frame skipped" : "graph break",
                  isPython ? pythonBreakTitle(group.breakClass) : breakTitle(group.breakClass));
  advice.cause = fmt::format("{} ends the graph of {}: {}", op.empty() ? "user code" : op,
                             joined(group.frames), reason.empty() ? "no reason recorded" : reason);
  advice.cause += registryNumber(hint);
  advice.fix = isPython ? pythonBreakFix(group.breakClass) : breakFix(group.breakClass);
  if (advice.fix.empty()) advice.fix = "TORCH_LOGS=\"graph_breaks\" prints it with its stack";
  advice.certainty =
      group.breakClass == BreakClass::kOther ? Certainty::kUnknown : Certainty::kCertain;
  // What the compiler itself advised is all that is known of a break without a class.
  if (group.breakClass == BreakClass::kOther && !hint.empty()) advice.fix = hint;
  return advice;
}

}  // namespace

std::vector<Finding> findGraphBreaks(const Subject& subject) {
  BreakGrouping grouping(subject.run);
  for (const Break& row : subject.run.breaks) grouping.add(row);
  std::vector<Finding> findings;
  for (auto& [key, group] : grouping.take()) {
    Finding finding;
    finding.kind = FindingKind::kGraphBreak;
    finding.causeClass = name(group.breakClass);
    finding.id = key;
    finding.advice = adviceOf(subject.run, group);
    finding.place = group.place;
    finding.cost = group.cost;
    const auto passes = static_cast<int64_t>(group.occurrences.size());
    setOccurrences(finding, "passes", std::move(group.occurrences),
                   {{"captures", group.captures}, {"later passes", passes - group.captures}});
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
