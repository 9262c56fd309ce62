#include "gui/loading/cause_builder.h"

#include <algorithm>
#include <map>

#include "analyzer/recompile_history.h"
#include "analyzer/recording_notes.h"
#include "gui/loading/code_section.h"
#include "gui/loading/run_text.h"
#include "gui/loading/source_excerpt.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

using analyzer::FindingKind;

bool isOfThisPage(FindingKind kind) {
  switch (kind) {
    case FindingKind::kGraphBreak:
    case FindingKind::kRecompile:
    case FindingKind::kRecompileLimit:
    case FindingKind::kReplayDivergence:
    case FindingKind::kSpecializedSize:
    case FindingKind::kFailedCompile:
    case FindingKind::kPlainSegment:
    case FindingKind::kGuardCost:
      return true;
    default:
      return false;
  }
}

/// The row of `rows` (by start time) that an occurrence is of; null when there is none.
template <class Rows, class Start>
auto rowOf(const Rows& rows, const analyzer::Occurrence& occurrence, Start start)
    -> decltype(&*rows.begin()) {
  auto at = std::lower_bound(rows.begin(), rows.end(), occurrence.startNs,
                             [&](const auto& row, int64_t timeNs) { return start(row) < timeNs; });
  for (; at != rows.end() && start(*at) == occurrence.startNs; ++at) {
    if (at->process == occurrence.process && at->frameIndex == occurrence.frame) return &*at;
  }
  return nullptr;
}

/// The stack of the first occurrence of a finding that has one.
std::string_view stackOf(const analyzer::Run& run, const analyzer::Finding& finding) {
  constexpr size_t kLookedAt = 100;
  const auto startOf = [](const auto& row) { return row.startNs; };
  for (size_t i = 0; i < std::min(kLookedAt, finding.occurrences.size()); ++i) {
    const analyzer::Occurrence& occurrence = finding.occurrences[i];
    std::string_view stack;
    if (const auto* gap = rowOf(run.breaks, occurrence, startOf)) stack = run.text(gap->stack);
    if (!stack.empty()) return stack;
    if (const auto* compile = rowOf(run.compiles, occurrence, startOf))
      stack = run.text(compile->stack);
    if (!stack.empty()) return stack;
  }
  return {};
}

std::vector<int64_t> framesOf(const analyzer::Finding& finding) {
  std::vector<int64_t> frames;
  for (const analyzer::Occurrence& occurrence : finding.occurrences) {
    if (!analyzer::exists(occurrence.frame)) continue;
    const auto frame = static_cast<int64_t>(occurrence.frame);
    if (frames.empty() || frames.back() != frame) frames.push_back(frame);
  }
  std::sort(frames.begin(), frames.end());
  frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
  return frames;
}

std::vector<SheetCell> cellsOf(const analyzer::Finding& finding, const FindingView& view) {
  const auto countNumber = static_cast<double>(finding.count());
  const auto costNs = static_cast<double>(static_cast<int64_t>(finding.cost.timeNs));
  return {{view.title, {}, view.category},
          {view.place.isEmpty() ? kNoValue : view.place},
          {countText(finding.count()), countNumber},
          {costNs > 0 ? durationText(finding.cost.timeNs) : kNoValue, costNs},
          {finding.advice.isAvoidable ? "yes" : "once"}};
}

CauseView causeOf(const Recording& recording, size_t row, SourceExcerpts& sources) {
  const analyzer::Finding& finding = recording.analysis.findings[row];
  const analyzer::Run& run = *recording.run;
  CauseView cause{row, framesOf(finding), recording.findings->list[row].detail};
  // Cause and fix come first here, then where it is; guards, of which there can be many, last.
  std::vector<DetailSection>& sections = cause.detail.sections;
  if (sections.size() < 3) return cause;
  std::rotate(sections.begin(), sections.begin() + 1, sections.begin() + 3);
  sections[2].heading = "in numbers";
  const DetailSection places[] = {sources.around(finding.place.file, finding.place.line),
                                  stackSection(stackOf(run, finding))};
  auto at = sections.begin() + 2;
  for (const DetailSection& place : places) {
    if (!place.code.isEmpty()) at = sections.insert(at, place) + 1;
  }
  return cause;
}

/// `recompile` is null for a first compilation.
CompileView viewOf(const analyzer::Run& run, size_t row, const analyzer::Recompile* recompile) {
  const analyzer::Compile& compile = run.compiles[static_cast<analyzer::CompileIndex>(row)];
  const int64_t costNs = compile.costNs();
  int64_t callNs = 0;
  if (recompile != nullptr && analyzer::exists(recompile->call))
    callNs = run.calls[recompile->call].durationNs();
  QString change = recompile == nullptr ? "first call" : toLine(recompile->change);
  if (!run.text(compile.failure).empty()) change = "failed: " + toLine(run.text(compile.failure));
  const QString guard = recompile == nullptr ? QString() : toLine(recompile->guard);
  return {static_cast<int64_t>(compile.frameIndex),
          frameText(run, compile.frameIndex),
          compile.startNs,
          {{compileIdText(compile.frame, compile.attempt), static_cast<double>(row),
            recompile == nullptr ? Category::kCompilePhase : Category::kRecompile},
           {change},
           {guard.isEmpty() ? kNoValue : guard},
           {compile.isDynamic != 0 ? "dynamic" : "static"},
           {costNs > 0 ? durationText(costNs) : kNoValue, static_cast<double>(costNs)},
           {callNs > 0 ? durationText(callNs) : kNoValue, static_cast<double>(callNs)}}};
}

std::vector<CompileView> compilesOf(const analyzer::Run& run) {
  std::map<size_t, analyzer::Recompile> recompiles;
  for (analyzer::Recompile& recompile : analyzer::recompileHistory(run)) {
    recompiles.emplace(analyzer::position(recompile.compile), std::move(recompile));
  }
  std::vector<CompileView> views;
  for (size_t row = 0; row < run.compiles.size(); ++row) {
    const auto found = recompiles.find(row);
    views.push_back(viewOf(run, row, found == recompiles.end() ? nullptr : &found->second));
  }
  return views;
}

QString whyEmpty(const analyzer::Run& run) {
  if (!analyzer::tellsCompiles(run)) {
    return toText(analyzer::kCompilesUntold) +
           " The log that TORCH_TRACE writes can be opened in one folder with a profile.";
  }
  if (!run.frames.empty() || !run.compiles.empty()) {
    return "No graph break and no recompile was recorded: what was compiled stayed whole.";
  }
  return "Nothing here was compiled, so nothing could break or compile again. "
         "jitscope::compile and torch.compile under jitscope record leave their story here; "
         "so does the log of TORCH_TRACE, opened alone or in one folder with a profile.";
}

}  // namespace

CauseViews buildCauses(const Recording& recording) {
  using Kind = ColumnKind;
  CauseViews views;
  Sheet causes;
  causes.columns = {{"Cause", Kind::kText, true},
                    {"Place", Kind::kCode},
                    {"Seen", Kind::kNumber},
                    {"Cost", Kind::kNumber},
                    {"Avoidable"}};
  SourceExcerpts sources(recording.run->startNs);
  const auto& findings = recording.analysis.findings;
  for (size_t row = 0; row < findings.size(); ++row) {
    if (!isOfThisPage(findings[row].kind)) continue;
    causes.lines.push_back({cellsOf(findings[row], recording.findings->list[row])});
    views.list.push_back(causeOf(recording, row, sources));
  }
  views.causes = std::make_shared<const Sheet>(std::move(causes));
  views.compiles = compilesOf(*recording.run);
  if (views.list.empty()) views.whyEmpty = whyEmpty(*recording.run);
  return views;
}

}  // namespace jitscope::gui
