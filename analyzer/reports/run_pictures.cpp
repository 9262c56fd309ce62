#include "analyzer/reports/run_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/frame_name.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/reports/shortened.h"
#include "analyzer/reports/timeline_svg.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::CallOutcome;
using trace::KernelRow;
using trace::OpRow;

constexpr size_t kMostLanes = 24;
constexpr int64_t kMostDepth = 4;

std::string_view kindOf(CallOutcome outcome) {
  switch (outcome) {
    case CallOutcome::kHit:
      return "hit";
    case CallOutcome::kCompiled:
      return "compiling";
    case CallOutcome::kFailed:
      return "failed";
    case CallOutcome::kLimit:
    case CallOutcome::kForcedEager:
      break;
  }
  return "eager";
}

std::string titled(std::string_view what, int64_t durationNs) {
  constexpr size_t kLongest = 120;  // a name stands at each of its bars
  return fmt::format("{}: {}", shortened(what, kLongest), durationText(durationNs));
}

SvgRow callRow(const Run& run, const Lane& lane) {
  SvgRow row;
  constexpr size_t kLongestLabel = 22;  // what fits beside the bars
  row.label = run.text(lane.name).empty() ? fmt::format("thread {}", lane.thread)
                                          : shortened(run.text(lane.name), kLongestLabel);
  for (const CallIndex index : lane.calls) {
    const Call& call = run.calls[index];
    row.spans.push_back({call.startNs, call.endNs, kindOf(call.outcome),
                         titled(frameName(run, call.frameIndex), call.durationNs())});
  }
  for (const CompileIndex index : lane.compiles) {
    const Compile& compile = run.compiles[index];
    row.spans.push_back({compile.startNs, compile.endNs, "compiling",
                         titled("compile " + compileId(compile.frame, compile.attempt),
                                compile.endNs - compile.startNs)});
  }
  for (const BreakIndex index : lane.breaks) {
    const Break& each = run.breaks[index];
    row.spans.push_back({each.startNs, each.endNs, "break",
                         titled(run.text(each.reason), each.endNs - each.startNs)});
  }
  std::stable_sort(row.spans.begin(), row.spans.end(),
                   [](const SvgSpan& a, const SvgSpan& b) { return a.startNs < b.startNs; });
  return row;
}

/// Operators of a lane that no other holds.
SvgRow operatorRow(const Run& run, const Lane& lane) {
  const OpTable& ops = run.processes[lane.process].ops;
  SvgRow row;
  row.label = "operators";
  for (const OpIndex op : lane.ops) {
    const size_t at = position(op);
    if (ops.get<&OpRow::depth>(at) != 0) continue;
    const int64_t startNs = ops.get<&OpRow::startNs>(at), endNs = ops.get<&OpRow::endNs>(at);
    row.spans.push_back(
        {startNs, endNs, "op", titled(run.text(ops.get<&OpRow::name>(at)), endNs - startNs)});
  }
  return row;
}

std::string_view kindOf(trace::Origin origin) {
  switch (origin) {
    case trace::Origin::kCompiled:
      return "fused";
    case trace::Origin::kReplay:
      return "replay";
    case trace::Origin::kEager:
    case trace::Origin::kUnknown:
      break;
  }
  return "kernel";
}

void addKernelRows(const Run& run, const Process& process, std::vector<SvgRow>& rows) {
  std::map<std::pair<int64_t, int64_t>, SvgRow> streams;
  for (size_t i = 0; i < process.kernels.size(); ++i) {
    const KernelRow kernel = process.kernels.row(i);
    if (!isValidSpan(kernel.startNs, kernel.endNs)) continue;
    SvgRow& row = streams[{kernel.device, kernel.stream}];
    row.label = fmt::format("device {} stream {}", kernel.device, kernel.stream);
    row.spans.push_back({kernel.startNs, kernel.endNs,
                         kindOf(process.originOf(static_cast<KernelIndex>(i))),
                         titled(run.text(kernel.name), kernel.endNs - kernel.startNs)});
  }
  for (auto& [stream, row] : streams) {
    std::stable_sort(row.spans.begin(), row.spans.end(),
                     [](const SvgSpan& a, const SvgSpan& b) { return a.startNs < b.startNs; });
    if (rows.size() < kMostLanes) rows.push_back(std::move(row));
  }
}

/// The operators of one call by their nesting, with times from the call's start.
void addCallRows(const Run& run, CallIndex index, std::string_view how, std::vector<SvgRow>& rows) {
  const Call& call = run.calls[index];
  const OpTable& ops = run.processes[call.process].ops;
  SvgRow head;
  head.label = how;
  head.spans.push_back({0, call.durationNs(), kindOf(call.outcome),
                        titled(frameName(run, call.frameIndex), call.durationNs())});
  rows.push_back(std::move(head));
  std::map<int64_t, SvgRow> levels;
  for (const Lane& lane : run.lanes) {
    if (lane.process != call.process || lane.thread != call.thread) continue;
    const auto first = std::partition_point(lane.ops.begin(), lane.ops.end(), [&](OpIndex op) {
      return ops.get<&OpRow::startNs>(position(op)) < call.startNs;
    });
    for (auto op = first; op != lane.ops.end(); ++op) {
      const int64_t startNs = ops.get<&OpRow::startNs>(position(*op));
      const int64_t endNs = ops.get<&OpRow::endNs>(position(*op));
      if (startNs >= call.endNs) break;
      const int64_t depth = ops.get<&OpRow::depth>(position(*op));
      if (depth >= kMostDepth) continue;
      levels[depth].spans.push_back(
          {startNs - call.startNs, endNs - call.startNs, "op",
           titled(run.text(ops.get<&OpRow::name>(position(*op))), endNs - startNs)});
    }
  }
  for (auto& [depth, level] : levels) rows.push_back(std::move(level));
}

}  // namespace

std::string runPicture(const Run& run) {
  std::vector<SvgRow> rows;
  for (const Lane& lane : run.lanes) {
    if (rows.size() >= kMostLanes) break;
    const bool hasCalls = !lane.calls.empty() || !lane.compiles.empty() || !lane.breaks.empty();
    if (hasCalls) rows.push_back(callRow(run, lane));
    if (!lane.ops.empty()) rows.push_back(operatorRow(run, lane));
  }
  for (const Process& process : run.processes) addKernelRows(run, process, rows);
  if (rows.empty() || run.startNs == run.endNs) return {};
  return timelineSvg(rows, run.startNs, run.endNs);
}

std::string eagerAgainstCompiledPicture(const Run& run, const Analysis& analysis) {
  const FrameSummary* busiest = nullptr;
  for (const FrameSummary& frame : analysis.frames) {
    if (!frame.speedup()) continue;
    if (busiest == nullptr || frame.compiled.totalNs > busiest->compiled.totalNs) busiest = &frame;
  }
  if (busiest == nullptr) return {};
  std::vector<SvgRow> rows;
  addCallRows(run, busiest->eager.typical, "eager", rows);
  addCallRows(run, busiest->compiled.typical, "compiled", rows);
  return timelineSvg(rows, 0, std::max(busiest->eager.medianNs, busiest->compiled.medianNs));
}

}  // namespace jitscope::analyzer
