#include "gui/loading/finding_views.h"

#include "analyzer/processor_wait.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

Category categoryOf(analyzer::FindingKind kind) {
  return kind == analyzer::FindingKind::kGraphBreak ? Category::kBreak : Category::kRecompile;
}

QString kindText(analyzer::FindingKind kind) {
  return toText(analyzer::name(kind)).replace('_', ' ');
}

QString certaintyText(analyzer::Certainty certainty) {
  switch (certainty) {
    case analyzer::Certainty::kCertain:
      return "recorded";
    case analyzer::Certainty::kLikely:
      return "likely: concluded from the recording";
    case analyzer::Certainty::kUnknown:
      return "not known: the fix says where to look";
  }
  return {};
}

QString costText(const analyzer::Finding& finding) {
  QStringList parts;
  if (finding.cost.timeNs > 0) parts << durationText(finding.cost.timeNs);
  if (finding.cost.kernels > 0) parts << countedText(finding.cost.kernels, "kernel");
  if (finding.cost.bytes > 0) parts << bytesText(finding.cost.bytes);
  if (finding.count() > 0) parts << countText(finding.count()) + "×";
  return parts.join(" · ");
}

DetailSection numbersOf(const analyzer::Finding& finding) {
  DetailSection section;
  addField(section, "cost", costText(finding));
  if (!finding.place.file.empty()) {
    section.fields.push_back({"place", toText(analyzer::fullText(finding.place))});
  }
  if (!finding.place.function.empty()) {
    section.fields.push_back({"function", toText(finding.place.function)});
  }
  section.fields.push_back({"certainty", certaintyText(finding.advice.certainty)});
  section.fields.push_back(
      {"avoidable", finding.advice.isAvoidable ? "yes" : "no: paid once by every such program"});
  for (const analyzer::Evidence& evidence : finding.evidence) {
    section.fields.push_back({toText(evidence.what), countText(evidence.count)});
  }
  return section;
}

std::vector<DetailSection> guardSections(const analyzer::Finding& finding) {
  std::vector<DetailSection> sections;
  for (const analyzer::GuardMismatch& guard : finding.guards) {
    DetailSection section;
    section.heading = "guard of " + toText(guard.entry);
    section.prose = toText(guard.guard);
    addField(section, "source", toText(guard.source));
    addField(section, "expected", toText(guard.expected));
    addField(section, "actual", toText(guard.actual));
    section.fields.push_back({"failed", countText(guard.count) + "×"});
    sections.push_back(std::move(section));
  }
  return sections;
}

/// The occurrence to look at: of breaks one in the middle, for the first pass is still being
/// captured.
std::optional<int64_t> tellingTime(const analyzer::Finding& finding) {
  if (finding.occurrences.empty()) return std::nullopt;
  const bool isBreak = finding.kind == analyzer::FindingKind::kGraphBreak;
  return finding.occurrences[isBreak ? finding.occurrences.size() / 2 : 0].startNs;
}

FindingView viewOf(const analyzer::Finding& finding) {
  FindingView view;
  view.title = toLine(finding.advice.title);
  view.cost = costText(finding);
  if (!finding.place.file.empty()) view.place = toLine(analyzer::shortText(finding.place));
  view.cause = toText(finding.advice.cause);
  view.fix = toText(finding.advice.fix);
  view.category = categoryOf(finding.kind);
  view.timeNs = tellingTime(finding);
  view.detail.title = view.title;
  view.detail.kind = kindText(finding.kind);
  view.detail.category = view.category;
  view.detail.sections.push_back(numbersOf(finding));
  view.detail.sections.push_back({"cause", {}, {}, view.cause, {}});
  view.detail.sections.push_back({"fix", {}, {}, view.fix, {}});
  for (DetailSection& section : guardSections(finding)) {
    view.detail.sections.push_back(std::move(section));
  }
  return view;
}

/// "Compiled runs decodeStep in 1.29 ms, eager in 1.42 ms (1.10x)." for the frame with the most
/// time; empty when no frame ran both ways.
QString comparisonOf(const analyzer::Run& run, const analyzer::Analysis& analysis) {
  const analyzer::FrameSummary* most = nullptr;
  const auto weight = [](const analyzer::FrameSummary& frame) {
    return frame.compiled.totalNs + frame.eager.totalNs;
  };
  for (const analyzer::FrameSummary& frame : analysis.frames) {
    if (frame.speedup() && (most == nullptr || weight(frame) > weight(*most))) most = &frame;
  }
  if (most == nullptr) return {};
  const QString doubt =
      analyzer::processorWait(run).isLong() ? " Not reliable: the machine was busy." : "";
  // All at once: a name may hold what looks like a place to fill.
  return QString("Compiled runs %1 in %2, eager in %3 (%4).%5")
      .arg(frameText(run, most->frame), durationText(most->compiled.medianNs),
           durationText(most->eager.medianNs), factorText(*most->speedup()), doubt);
}

}  // namespace

std::shared_ptr<const Findings> findingViews(const analyzer::Run& run,
                                             const analyzer::Analysis& analysis) {
  auto findings = std::make_shared<Findings>();
  findings->verdict = comparisonOf(run, analysis);
  // Without two kinds of calls to compare, the analyzer's own sentence is the verdict.
  QString& rest = findings->verdict.isEmpty() ? findings->verdict : findings->remark;
  rest = toLine(analysis.verdict);
  for (const analyzer::Finding& finding : analysis.findings) {
    findings->list.push_back(viewOf(finding));
  }
  return findings;
}

}  // namespace jitscope::gui
