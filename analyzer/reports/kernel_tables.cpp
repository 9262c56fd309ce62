#include "analyzer/reports/kernel_tables.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/frame_name.h"
#include "analyzer/reports/shortened.h"
#include "analyzer/reports/table.h"
#include "analyzer/reports/traffic_columns.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;
using trace::Origin;

constexpr size_t kGroupsShown = 20;
constexpr size_t kLongestName = 60;
constexpr Origin kOrigins[] = {Origin::kEager, Origin::kCompiled, Origin::kReplay,
                               Origin::kUnknown};

const char* name(Origin origin) {
  switch (origin) {
    case Origin::kEager:
      return "eager";
    case Origin::kCompiled:
      return "compiled";
    case Origin::kReplay:
      return "replay";
    default:
      return "unknown";
  }
}

const char* wayOf(const KernelGroup& group) { return group.isTrial ? "trial" : name(group.origin); }

std::string graphOf(const Run& run, const KernelGroup& group) {
  return exists(group.frame) ? compileId(run.frames[group.frame].id, group.attempt) : "";
}

Table originTable(const KernelSummary& summary) {
  Table table;
  table.title = "On the GPU";
  table.columns = {{"kernels"}, {"count", true}, {"total", true}, {"mean", true}};
  const auto addRow = [&](const char* way, const KernelTimes& times) {
    if (times.count == 0) return;
    table.rows.push_back(
        {way, countText(times.count), durationText(times.totalNs), durationText(times.meanNs())});
  };
  for (const Origin origin : kOrigins) {
    const auto found = summary.byOrigin.find(origin);
    if (found != summary.byOrigin.end()) addRow(name(origin), found->second);
  }
  addRow("trial", summary.trials);
  if (summary.trials.count > 0) table.note = "trial: run by torch.compile to choose a kernel";
  return table;
}

Table frameTable(const Run& run, const Analysis& analysis, const KernelSummary& summary) {
  Table table;
  table.title = "On the GPU, by compiled callable";
  table.columns = {{"frame"},         {"served"},         {"calls", true},
                   {"kernels", true}, {"per call", true}, {"kernel time per call", true}};
  const auto addRow = [&](const FrameSummary& frame, const char* served, const CallTimes& calls,
                          const KernelTimes& kernels) {
    if (calls.count == 0 || kernels.count == 0) return;
    const double perCall = static_cast<double>(kernels.count) / static_cast<double>(calls.count);
    table.rows.push_back({fmt::format("[{}] {}", static_cast<int64_t>(run.frames[frame.frame].id),
                                      frameName(run, frame.frame)),
                          served, countText(calls.count), countText(kernels.count),
                          fmt::format("{:.1f}", perCall),
                          durationText(kernels.totalNs / calls.count)});
  };
  for (const FrameSummary& frame : analysis.frames) {
    const FrameKernels& kernels = summary.byFrame[position(frame.frame)];
    addRow(frame, "eager", frame.eager, kernels.eager);
    addRow(frame, "compiled", frame.compiled, kernels.compiled);
  }
  return table;
}

Table groupTable(const Run& run, const KernelSummary& summary) {
  Table table;
  table.title = "Kernels that took most time";
  table.columns = {{"kernel"},      {"ran"},         {"graph"},     {"operator"},
                   {"count", true}, {"total", true}, {"mean", true}};
  const TrafficColumns traffic(summary.groups);
  traffic.addTo(table);
  for (const KernelGroup& group : summary.groups) {
    if (table.rows.size() == kGroupsShown) break;
    const std::string graph = graphOf(run, group);
    const std::string op(run.text(group.op));
    std::vector<std::string> row = {shortened(run.text(group.name), kLongestName),
                                    wayOf(group),
                                    graph.empty() ? kNothing : graph,
                                    op.empty() ? kNothing : shortened(op, kLongestName),
                                    countText(group.times.count),
                                    durationText(group.times.totalNs),
                                    durationText(group.times.meanNs())};
    traffic.addTo(row, group);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json timesJson(const KernelTimes& times) {
  return {{"count", times.count}, {"total_ns", times.totalNs}, {"mean_ns", times.meanNs()}};
}

}  // namespace

std::vector<Table> kernelTables(const Run& run, const Analysis& analysis) {
  if (run.kernelCount() == 0) return {};
  const KernelSummary summary = summarizeKernels(run);
  return {originTable(summary), frameTable(run, analysis, summary), groupTable(run, summary)};
}

nlohmann::ordered_json kernelsJson(const Run& run) {
  const KernelSummary summary = summarizeKernels(run);
  Json origins = Json::object();
  for (const auto& [origin, times] : summary.byOrigin) origins[name(origin)] = timesJson(times);
  if (summary.trials.count > 0) origins["trial"] = timesJson(summary.trials);
  Json groups = Json::array();
  for (const KernelGroup& group : summary.groups) {
    const std::string graph = graphOf(run, group);
    Json json{{"name", run.text(group.name)},
              {"origin", wayOf(group)},
              {"compile_id", graph.empty() ? Json(nullptr) : Json(graph)},
              {"op", run.text(group.op)},
              {"code", run.text(group.code)}};
    json.update(timesJson(group.times));
    json.update(trafficJson(group));
    groups.push_back(std::move(json));
  }
  Json frames = Json::array();
  for (size_t i = 0; i < summary.byFrame.size(); ++i) {
    const FrameKernels& frame = summary.byFrame[i];
    if (frame.compiled.count + frame.eager.count == 0) continue;
    frames.push_back({{"id", static_cast<int64_t>(run.frames[run.frames.indexAt(i)].id)},
                      {"compiled", timesJson(frame.compiled)},
                      {"eager", timesJson(frame.eager)}});
  }
  return {{"with_op", summary.withOp},
          {"with_graph", summary.withGraph},
          {"by_origin", std::move(origins)},
          {"by_frame", std::move(frames)},
          {"groups", std::move(groups)}};
}

}  // namespace jitscope::analyzer
