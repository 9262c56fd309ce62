#include "gui/loading/host_lanes.h"

#include <algorithm>
#include <unordered_map>

#include "gui/loading/run_text.h"

namespace jitscope::gui {
namespace {

using analyzer::position;

void addRows(Lane& lane, RowKind kind, std::vector<Event> events) {
  for (EventColumns& columns : spreadRows(std::move(events))) {
    lane.rows.emplace_back(kind, std::move(columns));
  }
}

Category categoryOf(trace::Origin origin) {
  switch (origin) {
    case trace::Origin::kCompiled:
      return Category::kCompiled;
    case trace::Origin::kReplay:
      return Category::kReplay;
    default:
      return Category::kEager;
  }
}

Category categoryOf(const analyzer::Call& call) {
  switch (call.outcome) {
    case trace::CallOutcome::kHit:
      return Category::kCompiled;
    case trace::CallOutcome::kCompiled:
      return Category::kCompilePhase;
    case trace::CallOutcome::kFailed:
      return Category::kBreak;
    default:
      return Category::kEager;
  }
}

class HostLane {
 public:
  HostLane(const analyzer::Run& run, const analyzer::Lane& thread, NameTable& names)
      : run_(run), thread_(thread), names_(names) {}

  Lane build() {
    addRows(lane_, RowKind::kCall, calls());
    addRows(lane_, RowKind::kRegion, regions());
    addRows(lane_, RowKind::kOperator, operators());
    return std::move(lane_);
  }

 private:
  std::vector<Event> calls() {
    std::vector<Event> events;
    for (const analyzer::CallIndex index : thread_.calls) {
      const analyzer::Call& call = run_.calls[index];
      events.push_back({{call.startNs, call.endNs},
                        nameOf(call.frameIndex),
                        static_cast<SourceRow>(index),
                        categoryOf(call)});
    }
    return events;
  }

  NameId nameOf(analyzer::FrameIndex frame) {
    // By its text's id where it has one: there are millions of calls.
    const bool isNamed = analyzer::exists(frame) && !run_.text(run_.frames[frame].name).empty();
    return isNamed ? names_.idOf(run_.frames[frame].name) : names_.idOf(frameText(run_, frame));
  }

  std::vector<Event> regions() {
    std::vector<Event> events;
    for (const analyzer::RegionIndex index : thread_.regions) {
      const analyzer::Region& region = run_.regions[index];
      QString name = "region";
      if (analyzer::exists(region.frameIndex)) {
        name += " " + compileIdText(run_.frames[region.frameIndex].id, region.attempt);
      }
      if (static_cast<int64_t>(region.segment) > 0) {
        name += QString(" segment %1").arg(static_cast<int64_t>(region.segment));
      }
      events.push_back({{region.startNs, region.endNs},
                        names_.idOf(name),
                        static_cast<SourceRow>(index),
                        categoryOf(region.origin)});
    }
    for (const analyzer::BreakIndex index : thread_.breaks) {
      const analyzer::Break& gap = run_.breaks[index];
      if (gap.endNs <= gap.startNs) continue;
      const std::string_view op = run_.text(gap.op);
      const QString name = op.empty() ? "graph break" : "break: " + toLine(op);
      events.push_back({{gap.startNs, gap.endNs},
                        names_.idOf(name),
                        static_cast<SourceRow>(index),
                        Category::kBreak});
    }
    return events;
  }

  std::vector<Event> operators() {
    const analyzer::Process& process = run_.processes[thread_.process];
    std::vector<Event> events;
    events.reserve(thread_.ops.size());
    for (const analyzer::OpIndex op : thread_.ops) {
      const size_t row = position(op);
      const NameId name = names_.idOf(process.ops.get<&trace::OpRow::name>(row));
      const Category category =
          names_.isLibrary(name) ? Category::kLibrary : categoryOf(process.originOf(op));
      events.push_back({{process.ops.get<&trace::OpRow::startNs>(row),
                         process.ops.get<&trace::OpRow::endNs>(row)},
                        name,
                        static_cast<SourceRow>(op),
                        category});
    }
    return events;
  }

  const analyzer::Run& run_;
  const analyzer::Lane& thread_;
  NameTable& names_;
  Lane lane_;
};

/// API calls of a process by thread.
std::unordered_map<int64_t, std::vector<Event>> apiCalls(const analyzer::Run& run,
                                                         const analyzer::Process& process,
                                                         NameTable& names) {
  std::unordered_map<int64_t, std::vector<Event>> byThread;
  const analyzer::ColumnTable<trace::ApiRow> calls(*process.file, process.texts);
  for (size_t row = 0; row < calls.size(); ++row) {
    const TimeRange time{calls.get<&trace::ApiRow::startNs>(row),
                         calls.get<&trace::ApiRow::endNs>(row)};
    if (!isPlausible(run, time)) continue;
    byThread[calls.get<&trace::ApiRow::thread>(row)].push_back(
        {time, names.idOf(calls.get<&trace::ApiRow::name>(row)), static_cast<SourceRow>(row),
         Category::kHost});
  }
  return byThread;
}

}  // namespace

SourcedLane compileLane(const analyzer::Run& run, analyzer::ProcessIndex process,
                        NameTable& names) {
  SourcedLane result{{LaneKind::kCompile, "compile", {}, {}, {}, 0}, {process, 0}};
  std::vector<Event> events;
  for (size_t i = 0; i < run.compiles.size(); ++i) {
    const auto index = static_cast<analyzer::CompileIndex>(i);
    const analyzer::Compile& compile = run.compiles[index];
    if (compile.process != process) continue;
    QString name = static_cast<int64_t>(compile.attempt) > 0 ? "recompile" : "compile";
    if (analyzer::exists(compile.frameIndex)) {
      name += " " + compileIdText(run.frames[compile.frameIndex].id, compile.attempt);
    }
    events.push_back({{compile.startNs, compile.endNs},
                      names.idOf(name),
                      static_cast<SourceRow>(index),
                      Category::kCompilePhase});
  }
  addRows(result.lane, RowKind::kCompile, std::move(events));
  return result;
}

std::vector<SourcedLane> hostLanes(const analyzer::Run& run, NameTable& names,
                                   const std::function<bool(size_t done, size_t all)>& proceed) {
  std::vector<SourcedLane> lanes;
  std::unordered_map<uint32_t, std::unordered_map<int64_t, std::vector<Event>>> apis;
  for (size_t i = 0; i < run.processes.size(); ++i) {
    const auto process = static_cast<analyzer::ProcessIndex>(i);
    apis[static_cast<uint32_t>(i)] = apiCalls(run, run.processes[process], names);
  }
  size_t number = 0;
  for (const analyzer::Lane& thread : run.lanes) {
    if (!proceed(number, run.lanes.size())) return lanes;
    SourcedLane result{HostLane(run, thread, names).build(), {thread.process, thread.thread}};
    result.lane.kind = LaneKind::kHost;
    result.lane.title = QString("host %1").arg(number++);
    const std::string_view name = run.text(thread.name);
    result.lane.subtitle = name.empty() ? QString::number(thread.thread) : toLine(name);
    addRows(result.lane, RowKind::kApi,
            std::move(apis[static_cast<uint32_t>(thread.process)][thread.thread]));
    if (!result.lane.rows.empty()) lanes.push_back(std::move(result));
  }
  return lanes;
}

}  // namespace jitscope::gui
