#include "gui/loading/compile_details.h"

#include <algorithm>
#include <array>

#include "analyzer/place.h"
#include "gui/loading/code_section.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

constexpr int kMostCodeLines = 40;

/// The compile id of an entry; "none" where a row has none.
QString entryText(trace::FrameId frame, trace::AttemptId attempt) {
  return attempt == trace::AttemptId::kNone ? "none" : compileIdText(frame, attempt);
}

/// A stack as its user's place in full and then the lines.
void addStack(const analyzer::Run& run, trace::StringId stack, Detail& detail) {
  const std::string_view text = run.text(stack);
  if (text.empty()) return;
  const auto place = analyzer::userPlace(text);
  addField(detail.sections.front(), "place", toLine(analyzer::shortText(place)));
  detail.sections.push_back(stackSection(text));
}

QString outcomeText(trace::CallOutcome outcome) {
  switch (outcome) {
    case trace::CallOutcome::kHit:
      return "hit: an entry's guards held";
    case trace::CallOutcome::kCompiled:
      return "compiled a new entry";
    case trace::CallOutcome::kLimit:
      return "eager: the recompile limit was reached";
    case trace::CallOutcome::kForcedEager:
      return "eager: by stance or disable";
    case trace::CallOutcome::kFailed:
      return "failed: compilation or user code threw";
  }
  return {};
}

QString userCodeText(trace::UserCode code) {
  switch (code) {
    case trace::UserCode::kRan:
      return "ran";
    case trace::UserCode::kReplayed:
      return "ran again under replay";
    case trace::UserCode::kSkipped:
      return "skipped: the graph ran instead";
  }
  return {};
}

void addBars(Detail& detail, const QString& heading,
             const std::vector<std::tuple<QString, int64_t, Category>>& parts) {
  DetailSection section;
  section.heading = heading;
  int64_t longestNs = 1;
  for (const auto& [name, ns, category] : parts) longestNs = std::max(longestNs, ns);
  for (const auto& [name, ns, category] : parts) {
    if (ns <= 0) continue;
    section.bars.push_back({name, static_cast<double>(ns) / static_cast<double>(longestNs),
                            durationText(ns), category});
  }
  if (!section.bars.empty()) detail.sections.push_back(std::move(section));
}

}  // namespace

Detail describe(const analyzer::Run& run, const analyzer::Call& call) {
  const bool isEager = call.outcome == trace::CallOutcome::kForcedEager ||
                       call.outcome == trace::CallOutcome::kLimit;
  Detail detail{frameText(run, call.frameIndex),
                "call of a compiled callable",
                isEager ? Category::kEager : Category::kCompiled,
                {}};
  DetailSection section;
  addField(section, "time", durationText(call.durationNs()));
  addField(section, "start", sinceStartText(run, call.startNs));
  addField(section, "outcome", outcomeText(call.outcome));
  addField(section, "entry", entryText(call.frame, call.attempt));
  addField(section, "user code", userCodeText(call.userCode));
  // Where no operators were recorded, none of them says nothing of the call.
  if (run.opCount() > 0) {
    addField(
        section, "operators",
        countText(call.opCount) + ", " + countText(call.compiledOpCount) + " of them compiled");
  }
  addCount(section, "entries tried", call.entriesTried);
  addCount(section, "segments run", call.segmentsRun);
  addCount(section, "divergences", call.divergences);
  if (analyzer::exists(call.frameIndex)) {
    const analyzer::Frame& frame = run.frames[call.frameIndex];
    if (frame.line > 0) {
      const QString file = textOf(run, frame.file).section('/', -1);
      addField(section, "defined", file + ":" + QString::number(frame.line));
    }
    addField(section, "backend", textOf(run, frame.backend));
  }
  detail.sections.push_back(std::move(section));
  addBars(detail, "where its time went",
          {{"regions", call.regionNs, Category::kCompiled},
           {"guards", call.guardNs, Category::kRecompile},
           {"operators", call.opNs, isEager ? Category::kEager : Category::kCompiled},
           {"all", call.durationNs(), Category::kHost}});
  return detail;
}

Detail describe(const analyzer::Run& run, const analyzer::Region& region) {
  Detail detail{"region " + entryText(region.frame, region.attempt),
                "one run of a compiled graph",
                Category::kCompiled,
                {}};
  DetailSection section;
  addField(section, "time", durationText(region.endNs - region.startNs));
  addField(section, "start", sinceStartText(run, region.startNs));
  addField(section, "frame", frameText(run, region.frameIndex));
  if (region.segment != trace::SegmentId::kNone)
    addField(section, "segment", QString::number(static_cast<int64_t>(region.segment)));
  addCount(section, "operators", region.opCount);
  addField(section, "graph", textOf(run, region.graph));
  detail.sections.push_back(std::move(section));
  for (const analyzer::Artifact& artifact : run.artifacts) {
    const bool isOwn = artifact.process == region.process && artifact.frame == region.frame &&
                       artifact.attempt == region.attempt && artifact.segment == region.segment;
    const QString kind = textOf(run, artifact.kind);
    if (!isOwn || (kind != "graph_code" && kind != "output_code")) continue;
    const QString heading = kind == "graph_code" ? "captured graph" : "generated code";
    const QStringList code = firstLines(toWholeText(run.text(artifact.content)), kMostCodeLines);
    detail.sections.push_back({heading, {}, {}, {}, code});
  }
  return detail;
}

Detail describe(const analyzer::Run& run, const analyzer::Break& gap) {
  Detail detail{"graph break",
                gap.isFirst != 0 ? "found while capturing" : "passed again",
                Category::kBreak,
                {}};
  DetailSection section;
  if (gap.endNs > gap.startNs) addField(section, "gap", durationText(gap.endNs - gap.startNs));
  addField(section, "start", sinceStartText(run, gap.startNs));
  addField(section, "frame", frameText(run, gap.frameIndex));
  addField(section, "entry", entryText(gap.frame, gap.attempt));
  if (gap.after != trace::SegmentId::kNone)
    addField(section, "after", QString("segment %1").arg(static_cast<int64_t>(gap.after)));
  addField(section, "operator", textOf(run, gap.op));
  detail.sections.push_back(std::move(section));
  const auto addProse = [&](const QString& heading, trace::StringId text) {
    if (!textOf(run, text).isEmpty())
      detail.sections.push_back({heading, {}, {}, textOf(run, text), {}});
  };
  addProse("reason", gap.reason);
  addProse("explanation", gap.explanation);
  addProse("hint", gap.hint);
  addStack(run, gap.stack, detail);
  return detail;
}

Detail describe(const analyzer::Run& run, const analyzer::Compile& compile) {
  static constexpr std::array<const char*, 4> kCache{"", "hit", "miss", "bypassed"};
  const bool isRecompile = static_cast<int64_t>(compile.attempt) > 0;
  Detail detail{
      (isRecompile ? "recompile " : "compile ") + entryText(compile.frame, compile.attempt),
      isRecompile ? "a guard failed, a new entry was compiled" : "first compilation of a frame",
      isRecompile ? Category::kRecompile : Category::kCompilePhase,
      {}};
  DetailSection section;
  const int64_t costNs = compile.costNs();
  if (compile.endNs > compile.startNs)
    addField(section, "time", durationText(compile.endNs - compile.startNs));
  if (costNs > 0) addField(section, "cost", durationText(costNs) + " beyond running the code");
  addField(section, "start", sinceStartText(run, compile.startNs));
  addField(section, "frame", frameText(run, compile.frameIndex));
  addCount(section, "graphs", compile.graphCount);
  addField(section, "breaks", countText(compile.breakCount));
  addCount(section, "operators", compile.opCount);
  addCount(section, "guards", compile.guardCount);
  addField(section, "shapes", compile.isDynamic != 0 ? "dynamic" : "static");
  addField(section, "cache", kCache[static_cast<size_t>(compile.cache) % kCache.size()]);
  detail.sections.push_back(std::move(section));
  const QString trigger = textOf(run, compile.trigger);
  if (!trigger.isEmpty()) detail.sections.push_back({"trigger", {}, {}, trigger, {}});
  const QString failure = textOf(run, compile.failure);
  if (!failure.isEmpty()) detail.sections.push_back({"failure", {}, {}, failure, {}});
  addBars(detail, "phases",
          {{"capture", compile.captureNs, Category::kCompilePhase},
           {"guards", compile.guardsNs, Category::kCompilePhase},
           {"aot", compile.aotNs, Category::kCompilePhase},
           {"codegen", compile.codegenNs, Category::kCompilePhase},
           {"backend", compile.backendNs, Category::kCompilePhase}});
  addStack(run, compile.stack, detail);
  return detail;
}

Detail describe(const analyzer::Run& run, const analyzer::GuardFailure& failure) {
  Detail detail{"guard failure", "an entry did not fit a call", Category::kRecompile, {}};
  DetailSection section;
  addField(section, "start", sinceStartText(run, failure.timeNs));
  addField(section, "frame", frameText(run, failure.frameIndex));
  addField(section, "entry", entryText(failure.frame, failure.attempt));
  addField(section, "source", textOf(run, failure.source));
  addField(section, "expected", textOf(run, failure.expected));
  addField(section, "actual", textOf(run, failure.actual));
  addField(section, "cause", textOf(run, failure.cause).replace('_', ' '));
  addField(section, "led to",
           failure.caused == trace::AttemptId::kNone
               ? "no compilation"
               : "recompile " + entryText(failure.frame, failure.caused));
  detail.sections.push_back(std::move(section));
  const QString text = textOf(run, failure.text);
  if (!text.isEmpty()) detail.sections.push_back({"guard", {}, {}, text, {}});
  addStack(run, failure.stack, detail);
  return detail;
}

}  // namespace jitscope::gui
