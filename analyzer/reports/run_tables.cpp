#include "analyzer/reports/run_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/frame_name.h"
#include "analyzer/language.h"
#include "analyzer/processor_wait.h"
#include "analyzer/recompile_history.h"
#include "analyzer/recording_notes.h"
#include "analyzer/reports/recorded_text.h"
#include "analyzer/reports/table.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

std::string counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", countText(count), count == 1 ? one : many);
}

std::string frameLabel(const Run& run, FrameIndex frame) {
  return fmt::format("[{}] {}", static_cast<int64_t>(run.frames[frame].id), frameName(run, frame));
}

std::string placeLabel(const Place& place) {
  return place.file.empty() ? kNothing : shortText(place);
}

std::string countOrNothing(int64_t count) { return count == 0 ? kNothing : countText(count); }

std::string durationOrNothing(int64_t durationNs) {
  return durationNs == 0 ? kNothing : durationText(durationNs);
}

std::string lossKindText(trace::LossKind kind) {
  switch (kind) {
    case trace::LossKind::kDropped:
      return "dropped";
    case trace::LossKind::kOutOfRange:
      return "out of range";
    case trace::LossKind::kUnknown:
      return "unknown";
    case trace::LossKind::kOverhead:
      return "own overhead";
  }
  return "unknown";
}

std::string guardLine(const GuardMismatch& guard) {
  std::string line = guard.entry + ": " + (guard.guard.empty() ? guard.source : guard.guard);
  // Dynamo's words of most guards hold expected and actual already.
  const bool saysActual =
      guard.actual.empty() || guard.guard.find(guard.actual) != std::string::npos;
  if (!saysActual) line += fmt::format(" (expected {}, actual {})", guard.expected, guard.actual);
  if (guard.count > 1) line += fmt::format(" ({} times)", countText(guard.count));
  return line;
}

/// A function's name with the arguments of templates left out: `serve<…>(int)`. Python's `<lambda>`
/// and `<module>` are names.
std::string shortFunction(std::string_view function) {
  if (function.starts_with('<')) return std::string(function);
  std::string result;
  int depth = 0;
  for (const char c : function) {
    const bool closes = c == '>' && depth > 0;
    if (closes) --depth;
    if (depth == 0 && closes) result += "…>";
    if (depth == 0 && !closes) result += c;
    if (c == '<') ++depth;
  }
  // An operator's own angle brackets leave a name without its end.
  return depth == 0 ? result : std::string(function);
}

std::string evidenceText(const Finding& finding) {
  std::string text;
  for (const Evidence& each : finding.evidence) {
    if (each.what == "processes" && each.count <= 1) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{}: {}", each.what, countText(each.count));
  }
  return text;
}

std::string costText(const Cost& cost) {
  std::string text;
  const auto add = [&](int64_t amount, const std::string& part) {
    if (amount > 0) text += (text.empty() ? "" : ", ") + part;
  };
  add(cost.timeNs, durationText(cost.timeNs));
  add(cost.kernels, counted(cost.kernels, "kernel", "kernels"));
  add(cost.bytes, bytesText(cost.bytes));
  return text.empty() ? "not measured" : text;
}

/// Empty when both times read the same, which would say nothing.
std::string estimateText(const Estimate& estimate) {
  if (readAlike(estimate.withoutNs, estimate.nowNs)) return {};
  return fmt::format("{} would take {} instead of {}, if {}", estimate.of,
                     durationText(estimate.withoutNs), durationText(estimate.nowNs),
                     estimate.basis);
}

/// How a program has its compiled callables run eagerly.
const char* eagerStance(const Run& run) {
  const bool isPython = !run.calls.empty() && languageOf(run, run.calls.begin()->process,
                                                         FrameIndex::kNone) == Language::kPython;
  return isPython ? "torch.compiler.set_stance(\"force_eager\")" : "Stance::kForceEager";
}

/// All frames in their order, or of more than `most` those that cost most, the costliest first.
std::vector<FrameSummary> costliest(const std::vector<FrameSummary>& frames, size_t most) {
  std::vector<FrameSummary> result = frames;
  if (most == 0 || frames.size() <= most) return result;
  const auto costNs = [](const FrameSummary& frame) {
    return frame.compileNs + frame.breakNs + frame.guardNs;
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](const auto& a, const auto& b) { return costNs(a) > costNs(b); });
  result.resize(most);
  return result;
}

/// What `costliest` leaves out.
std::string moreText(size_t all, size_t most) {
  if (most == 0 || all <= most) return {};
  return fmt::format("and {} more, which cost less", countText(static_cast<int64_t>(all - most)));
}

}  // namespace

std::string overview(const Run& run) {
  return fmt::format(
      "{}, {}, {}, {}, {}",
      counted(static_cast<int64_t>(run.processes.size()), "process", "processes"),
      recordedText(run), counted(static_cast<int64_t>(run.opCount()), "operator", "operators"),
      counted(static_cast<int64_t>(run.frames.size()), "compiled callable", "compiled callables"),
      counted(static_cast<int64_t>(run.calls.size()), "call", "calls"));
}

Table worstTable(const Analysis& analysis, size_t most) {
  Table table;
  table.title = "Worst findings";
  table.columns = {{"", true}, {"finding"}, {"place"}, {"cost"}};
  if (analysis.findings.size() < 2) return table;
  for (const Finding& finding : analysis.findings) {
    if (table.rows.size() == most) break;
    table.rows.push_back({fmt::format("{}", table.rows.size() + 1), finding.advice.title,
                          placeLabel(finding.place), costText(finding.cost)});
  }
  return table;
}

Table framesTable(const Run& run, const Analysis& analysis, size_t most) {
  Table table;
  table.title = "Frames";
  table.columns = {{"frame"},           {"place"},          {"calls", true},  {"hits", true},
                   {"eager", true},     {"compiles", true}, {"breaks", true}, {"compiling", true},
                   {"in breaks", true}, {"in guards", true}};
  const bool isTold = tellsCompiles(run);
  for (const FrameSummary& frame : costliest(analysis.frames, most)) {
    const std::string compiles = isTold ? countText(frame.compileCount) : kNothing;
    table.rows.push_back({frameLabel(run, frame.frame), placeLabel(framePlace(run, frame.frame)),
                          countText(frame.callCount), countText(frame.compiled.count),
                          countOrNothing(frame.eager.count), compiles,
                          countOrNothing(frame.breakCount), durationOrNothing(frame.compileNs),
                          durationOrNothing(frame.breakNs), durationOrNothing(frame.guardNs)});
  }
  table.note = moreText(analysis.frames.size(), most);
  return table;
}

Table eagerTable(const Run& run, const Analysis& analysis, size_t most) {
  Table table;
  table.title = "Eager against compiled";
  table.columns = {{"frame"},           {"served"},         {"calls", true},
                   {"total", true},     {"median", true},   {"mean", true},
                   {"operators", true}, {"per call", true}, {"speed", true}};
  const auto addRow = [&](const FrameSummary& frame, const char* served, const CallTimes& times,
                          const std::string& speed) {
    if (times.count == 0) return;
    // Without the operators' observer a zero would say that nothing ran.
    const bool hasOps = run.opCount() > 0;
    table.rows.push_back({frameLabel(run, frame.frame), served, countText(times.count),
                          durationText(times.totalNs), durationText(times.medianNs),
                          durationText(times.meanNs()),
                          hasOps ? countText(times.opCount) : kNothing,
                          hasOps ? fmt::format("{:.1f}", times.opsPerCall()) : kNothing, speed});
  };
  bool hasBoth = false;
  for (const FrameSummary& frame : costliest(analysis.frames, most)) {
    const std::optional<double> speedup = frame.speedup();
    hasBoth |= speedup.has_value();
    addRow(frame, "eager", frame.eager, speedup ? ratioText(1) : kNothing);
    addRow(frame, "compiled", frame.compiled, speedup ? ratioText(*speedup) : kNothing);
  }
  table.note = hasBoth ? "speed: by the medians of single calls"
                       : fmt::format("no frame ran both ways: call it under {} too to compare",
                                     eagerStance(run));
  if (hasBoth && processorWait(run).isLong()) {
    table.note += "; not reliable, for the machine was busy";
  }
  const std::string more = moreText(analysis.frames.size(), most);
  if (!more.empty()) table.note = more + "; " + table.note;
  return table;
}

Table recompilesTable(const Run& run, size_t limit) {
  Table table;
  table.title = "Recompiles";
  table.columns = {{"id"},           {"frame"},           {"cause"},
                   {"what changed"}, {"compiling", true}, {"whole call", true}};
  const std::vector<Recompile> recompiles = recompileHistory(run);
  for (const Recompile& recompile : recompiles) {
    if (table.rows.size() == limit) break;
    const Compile& compile = run.compiles[recompile.compile];
    const std::string wholeCall =
        exists(recompile.call) ? durationText(run.calls[recompile.call].durationNs()) : kNothing;
    table.rows.push_back({compileId(compile.frame, compile.attempt),
                          frameName(run, compile.frameIndex), recompile.cause, recompile.change,
                          durationOrNothing(compile.costNs()), wholeCall});
  }
  if (recompiles.size() > limit) {
    table.note =
        fmt::format("and {} more", countText(static_cast<int64_t>(recompiles.size() - limit)));
  }
  return table;
}

Table lossesTable(const Run& run) {
  Table table;
  table.title = "Losses";
  table.columns = {{"kind"}, {"amount", true}, {"place"}, {"what"}};
  for (const Loss& loss : run.losses) {
    const bool isTime = loss.kind == trace::LossKind::kOverhead;
    table.rows.push_back({lossKindText(loss.kind),
                          isTime ? durationText(loss.amount) : countOrNothing(loss.amount),
                          loss.place.empty() ? kNothing : loss.place, loss.text});
  }
  return table;
}

size_t shownFindings(const Analysis& analysis, const ReportLayout& layout) {
  const size_t all = analysis.findings.size();
  return layout.mostFindings == 0 ? all : std::min(all, layout.mostFindings);
}

std::vector<FindingLine> findingLines(const Finding& finding) {
  std::vector<FindingLine> lines;
  const std::string in = finding.place.function.empty()
                             ? ""
                             : fmt::format(" in {}", shortFunction(finding.place.function));
  const std::string place = fullText(finding.place);
  lines.push_back({"place", place.empty() ? shortText(finding.place) : place + in});
  lines.push_back({"cause", finding.advice.cause});
  lines.push_back({"cost", costText(finding.cost)});
  const std::string estimate = finding.estimate ? estimateText(*finding.estimate) : "";
  if (!estimate.empty()) lines.push_back({"estimate", estimate});
  lines.push_back({"seen", evidenceText(finding)});
  constexpr size_t kGuardsShown = 3;
  for (size_t i = 0; i < finding.guards.size() && i < kGuardsShown; ++i) {
    lines.push_back({"guard", guardLine(finding.guards[i])});
  }
  if (finding.guards.size() > kGuardsShown) {
    const auto more = static_cast<int64_t>(finding.guards.size() - kGuardsShown);
    lines.push_back({"guard", fmt::format("and {} more", countText(more))});
  }
  lines.push_back({"fix", finding.advice.fix});
  if (!finding.advice.isAvoidable)
    lines.push_back({"note", "has to be paid once, can be paid early"});
  if (finding.advice.certainty != Certainty::kCertain) {
    lines.push_back({"certainty", std::string(name(finding.advice.certainty))});
  }
  return lines;
}

}  // namespace jitscope::analyzer
