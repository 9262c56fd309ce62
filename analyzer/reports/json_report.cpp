#include "analyzer/reports/json_report.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "analyzer/diagnoses/recompile_causes.h"
#include "analyzer/frame_name.h"
#include "analyzer/processor_wait.h"
#include "analyzer/recording_notes.h"
#include "analyzer/reports/kernel_tables.h"
#include "analyzer/reports/run_tables.h"
#include "analyzer/sum.h"
#include "trace/recorded_windows.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json processJson(const Run& run, const Process& process) {
  return {{"path", process.path.string()},
          {"pid", process.row.pid},
          {"parent_pid", process.row.parentPid},
          {"rank", process.row.rank},
          {"command_line", run.text(process.row.commandLine)},
          {"ops", process.ops.size()},
          {"kernels", process.kernels.size()},
          {"is_complete", process.isComplete}};
}

/// The windows of all processes that were not recorded all the time.
Json windowsJson(const Run& run) {
  Json windows = Json::array();
  for (const Process& process : run.processes) {
    const auto recorded = trace::recordedWindows(*process.file);
    if (!recorded) continue;
    Json rows = Json::array();
    for (const trace::RecordedWindowRow& row : recorded->windows) {
      rows.push_back({{"start_ns", row.startNs},
                      {"end_ns", row.endNs},
                      {"reason", process.file->text(row.reason)},
                      {"end_reason", process.file->text(row.endReason)},
                      {"triggers", row.triggers}});
    }
    windows.push_back(
        {{"pid", process.row.pid}, {"asked", recorded->wish}, {"windows", std::move(rows)}});
  }
  return windows;
}

Json runJson(const Run& run) {
  const ProcessorWait wait = processorWait(run);
  Json processes = Json::array();
  for (const Process& process : run.processes) processes.push_back(processJson(run, process));
  Json json = {{"path", run.path.string()},
               {"start_ns", run.startNs},
               {"end_ns", run.endNs},
               {"processes", std::move(processes)},
               {"ops", run.opCount()},
               {"kernels", run.kernelCount()},
               {"frames", run.frames.size()},
               {"compiles", run.compiles.size()},
               {"calls", run.calls.size()},
               {"regions", run.regions.size()},
               {"graph_break_passes", run.breaks.size()},
               {"guard_failures", run.guardFailures.size()},
               {"specializations", run.specializations.size()},
               {"lost", run.lostCount()},
               {"processor_running_ns", wait.runningNs},
               {"processor_waiting_ns", wait.waitingNs}};
  if (Json windows = windowsJson(run); !windows.empty()) json["recorded_windows"] = windows;
  return json;
}

Json timesJson(const CallTimes& times) {
  return {{"calls", times.count},      {"total_ns", times.totalNs}, {"median_ns", times.medianNs},
          {"mean_ns", times.meanNs()}, {"ops", times.opCount},      {"ops_ns", times.opNs}};
}

Json placeJson(const Place& place) {
  if (place.file.empty()) return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
}

Json frameJson(const Run& run, const FrameSummary& summary) {
  const Frame& frame = run.frames[summary.frame];
  Json json{{"id", static_cast<int64_t>(frame.id)},
            {"name", frameName(run, summary.frame)},
            {"place", placeJson(framePlace(run, summary.frame))},
            {"backend", run.text(frame.backend)},
            {"mode", run.text(frame.mode)},
            {"fullgraph", frame.isFullgraph},
            {"dynamic", frame.dynamic < 0 ? Json(nullptr) : Json(frame.dynamic != 0)},
            {"calls", summary.callCount},
            {"hits", summary.compiled.count},
            {"compiles", summary.compileCount},
            {"recompiles", summary.recompileCount},
            {"compile_ns", summary.compileNs},
            {"graph_breaks", summary.breakCount},
            {"break_ns", summary.breakNs},
            {"guard_ns", summary.guardNs},
            {"failed_calls", summary.failedCount},
            {"limit_calls", summary.limitCount},
            {"eager", timesJson(summary.eager)},
            {"compiled", timesJson(summary.compiled)},
            {"compiling", timesJson(summary.compiling)}};
  const std::optional<double> speedup = summary.speedup();
  json["speedup"] = speedup ? Json(*speedup) : Json(nullptr);
  return json;
}

Json failureJson(const Run& run, const GuardFailure& failure) {
  const GuardStory story = guardStory(run, failure);
  return {{"entry", compileId(failure.frame, failure.attempt)},
          {"kind", run.text(failure.kind)},
          {"guard", run.text(failure.text)},
          {"source", story.source},
          {"expected", story.expected},
          {"actual", story.actual},
          {"cause", name(story.cause)}};
}

Json recompileJson(const Run& run, const CausedCompile& caused) {
  const Compile& compile = run.compiles[caused.compile];
  const GuardStory story = storyOf(run, caused);
  const Advice advice = recompileAdvice(story);
  Json failures = Json::array();
  for (const GuardFailureIndex index : caused.failures) {
    failures.push_back(failureJson(run, run.guardFailures[index]));
  }
  return {{"id", compileId(compile.frame, compile.attempt)},
          {"frame", frameName(run, compile.frameIndex)},
          {"pid", run.processes[compile.process].row.pid},
          {"start_ns", compile.startNs},
          {"compile_ns", compile.costNs()},
          {"call_ns", exists(caused.call) ? Json(run.calls[caused.call].durationNs()) : Json()},
          {"became_dynamic", compile.isDynamic != 0},
          {"place", placeJson(userPlace(run.text(compile.stack)))},
          {"cause", name(story.cause)},
          {"cause_text", advice.cause},
          {"failure", run.text(compile.failure)},
          {"guard_failures", std::move(failures)},
          {"fix", advice.fix}};
}

Json estimateJson(const std::optional<Estimate>& estimate) {
  if (!estimate) return nullptr;
  return {{"of", estimate->of},
          {"now_ns", estimate->nowNs},
          {"without_ns", estimate->withoutNs},
          {"basis", estimate->basis}};
}

Json findingJson(const Finding& finding) {
  Json evidence = Json::object();
  for (const Evidence& each : finding.evidence) evidence[each.what] = each.count;
  Json guards = Json::array();
  for (const GuardMismatch& guard : finding.guards) {
    guards.push_back({{"entry", guard.entry},
                      {"guard", guard.guard},
                      {"source", guard.source},
                      {"expected", guard.expected},
                      {"actual", guard.actual},
                      {"count", guard.count}});
  }
  Json json{{"id", finding.id},
            {"kind", name(finding.kind)},
            {"cause_class", finding.causeClass},
            {"title", finding.advice.title},
            {"cause", finding.advice.cause},
            {"certainty", name(finding.advice.certainty)},
            {"is_avoidable", finding.advice.isAvoidable},
            {"place", placeJson(finding.place)},
            {"count", finding.count()},
            {"evidence", std::move(evidence)},
            {"cost",
             {{"time_ns", finding.cost.timeNs},
              {"kernels", finding.cost.kernels},
              {"bytes", finding.cost.bytes}}},
            {"fix", finding.advice.fix},
            {"guards", std::move(guards)}};
  json["estimate"] = estimateJson(finding.estimate);
  const bool hasTime = !finding.occurrences.empty();
  json["first_ns"] = hasTime ? Json(finding.occurrences.front().startNs) : Json(nullptr);
  json["last_ns"] = hasTime ? Json(finding.occurrences.back().startNs) : Json(nullptr);
  return json;
}

std::string_view lossKindName(trace::LossKind kind) {
  switch (kind) {
    case trace::LossKind::kDropped:
      return "dropped";
    case trace::LossKind::kOutOfRange:
      return "out_of_range";
    case trace::LossKind::kUnknown:
      return "unknown";
    case trace::LossKind::kOverhead:
      return "overhead";
  }
  return "unknown";
}

Json lossJson(const Loss& loss) {
  return {{"kind", lossKindName(loss.kind)},
          {"place", loss.place},
          {"text", loss.text},
          {"amount", loss.amount},
          {"is_damage", loss.isDamage}};
}

std::string_view inputLossName(InputLossKind kind) {
  switch (kind) {
    case InputLossKind::kRepaired:
      return "repaired";
    case InputLossKind::kForeign:
      return "foreign";
    case InputLossKind::kSkipped:
      return "skipped";
    case InputLossKind::kCut:
      return "cut";
    case InputLossKind::kAbsent:
      return "absent";
  }
  return "skipped";
}

Json countJson(const InputCount& count) {
  return std::visit([](auto amount) { return Json(amount); }, count.amount);
}

Json inputLossJson(const InputLoss& loss) {
  return {{"kind", inputLossName(loss.kind)},
          {"place", loss.place},
          {"text", loss.text},
          {"amount", loss.amount}};
}

/// Counts of several files added up, losses one after the other, and both for each file.
Json inputJson(const Run& run) {
  Json counts = Json::object(), losses = Json::array(), files = Json::array();
  for (const Input& input : run.inputs) {
    Json file{{"path", input.path.string()}, {"format", input.format}};
    file["counts"] = Json::object();
    file["losses"] = Json::array();
    for (const InputCount& count : input.counts) {
      file["counts"][count.name] = countJson(count);
      Json& sum = counts[count.name];
      if (sum.is_number_integer() && std::holds_alternative<int64_t>(count.amount)) {
        sum = sumOf(sum.get<int64_t>(), std::get<int64_t>(count.amount));
      } else {
        sum = sum.is_null() ? countJson(count)
                            : Json(sum.get<double>() + countJson(count).get<double>());
      }
    }
    for (const InputLoss& loss : input.losses) {
      file["losses"].push_back(inputLossJson(loss));
      losses.push_back(inputLossJson(loss));
    }
    files.push_back(std::move(file));
  }
  return {
      {"counts", std::move(counts)}, {"losses", std::move(losses)}, {"files", std::move(files)}};
}

}  // namespace

std::string jsonReport(const Run& run, const Analysis& analysis, const ReportLayout& layout) {
  Json report;
  report["schema"] = kSchema;
  report["verdict"] = analysis.verdict;
  report["run"] = runJson(run);
  report["input"] = inputJson(run);
  for (const char* list : {"frames", "findings", "recompiles", "losses"}) {
    report[list] = Json::array();
  }
  for (const FrameSummary& frame : analysis.frames) {
    report["frames"].push_back(frameJson(run, frame));
  }
  const size_t shown = shownFindings(analysis, layout);
  for (size_t i = 0; i < shown; ++i)
    report["findings"].push_back(findingJson(analysis.findings[i]));
  if (shown < analysis.findings.size()) report["more_findings"] = analysis.findings.size() - shown;
  for (const CausedCompile& caused : causedCompiles(run)) {
    report["recompiles"].push_back(recompileJson(run, caused));
  }
  for (const Loss& loss : run.losses) report["losses"].push_back(lossJson(loss));
  report["kernels"] = kernelsJson(run);
  report["notes"] = recordingNotes(run);
  constexpr int kIndent = 2;
  return report.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jitscope::analyzer
