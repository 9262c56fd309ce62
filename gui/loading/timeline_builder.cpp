#include "gui/loading/timeline_builder.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "analyzer/sum.h"
#include "gui/loading/device_lanes.h"
#include "gui/loading/event_details.h"
#include "gui/loading/host_lanes.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

using analyzer::ProcessIndex;

QString titleOf(const std::filesystem::path& path) {
  // A folder may be given as "run/" or ".", which end in no name.
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error).lexically_normal();
  const auto named = absolute.has_filename() ? absolute : absolute.parent_path();
  const QString title = toLine(named.filename().string());
  return title.isEmpty() ? toLine(path.string()) : title;
}

QString subtitleOf(const analyzer::Run& run) {
  const auto processCount = static_cast<int64_t>(run.processes.size());
  QStringList parts{countText(processCount) + (processCount == 1 ? " process" : " processes")};
  for (const analyzer::Process& process : run.processes) {
    const std::string_view torch = run.text(process.row.torchVersion);
    if (torch.empty()) continue;
    parts << "torch " + toLine(torch);
    break;
  }
  QStringList devices;
  for (const analyzer::Process& process : run.processes) {
    for (const trace::DeviceRow& device : process.rows<trace::DeviceRow>()) {
      const QString name = toLine(run.text(device.name));
      if (!name.isEmpty() && !devices.contains(name)) devices << name;
    }
  }
  constexpr qsizetype kMostDevices = 3;
  parts << devices.mid(0, kMostDevices);
  if (devices.size() > kMostDevices) {
    parts << countedText(devices.size() - kMostDevices, "more device");
  }
  return parts.join(" · ");
}

QString lossesOf(const analyzer::Run& run) {
  QStringList parts;
  if (run.lostCount() > 0) parts << countedText(run.lostCount(), "record") + " lost";
  const auto incomplete = std::count_if(run.processes.begin(), run.processes.end(),
                                        [](const auto& process) { return !process.isComplete; });
  if (incomplete > 0) parts << countedText(incomplete, "file") + " cut short";
  return parts.isEmpty() ? "no losses" : parts.join(" · ");
}

std::vector<Mark> marksOf(const analyzer::Run& run) {
  std::vector<Mark> marks;
  const auto add = [&marks](MarkKind kind, TimeRange time, size_t row, const QString& label) {
    marks.push_back({kind, time, static_cast<SourceRow>(row), label});
  };
  size_t row = 0;
  for (const analyzer::Break& gap : run.breaks) {
    add(MarkKind::kBreak, {gap.startNs, gap.endNs}, row++, "break");
  }
  row = 0;
  for (const analyzer::Compile& compile : run.compiles) {
    const auto attempt = static_cast<int64_t>(compile.attempt);
    const QString id = QString("%1/%2").arg(static_cast<int64_t>(compile.frame)).arg(attempt);
    if (attempt > 0)
      add(MarkKind::kRecompile, {compile.startNs, compile.endNs}, row, "recompile " + id);
    ++row;
  }
  row = 0;
  for (const analyzer::GuardFailure& failure : run.guardFailures) {
    add(MarkKind::kGuardFailure, {failure.timeNs, failure.timeNs}, row++, "guard failed");
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.time.startNs < b.time.startNs; });
  return marks;
}

/// Counts the passes over breaks on each thread, by time.
class BreakCounter {
 public:
  explicit BreakCounter(const analyzer::Run& run) {
    for (const analyzer::Break& gap : run.breaks) {
      starts_[{gap.process, gap.thread}].push_back(gap.startNs);
    }
  }

  int32_t within(const analyzer::Call& call) const {
    const auto starts = starts_.find({call.process, call.thread});
    if (starts == starts_.end()) return 0;
    const auto& times = starts->second;
    return static_cast<int32_t>(std::lower_bound(times.begin(), times.end(), call.endNs) -
                                std::lower_bound(times.begin(), times.end(), call.startNs));
  }

 private:
  std::map<std::pair<ProcessIndex, int64_t>, std::vector<int64_t>> starts_;
};

std::vector<StepTrack> tracksOf(const analyzer::Run& run) {
  const BreakCounter breaks(run);
  struct Calls {
    std::vector<StepCall> calls;
    analyzer::Sum totalNs;
  };
  std::map<std::pair<ProcessIndex, analyzer::FrameIndex>, Calls> byFrame;
  for (const analyzer::Call& call : run.calls) {
    // Two processes run side by side: their steps would interleave, so each gets a track of its
    // own.
    if (!analyzer::exists(call.frameIndex) || call.outcome == trace::CallOutcome::kFailed) continue;
    Calls& calls = byFrame[{call.process, call.frameIndex}];
    const bool ranEagerly = call.outcome == trace::CallOutcome::kForcedEager ||
                            call.outcome == trace::CallOutcome::kLimit;
    calls.calls.push_back({{call.startNs, call.endNs},
                           ranEagerly,
                           call.outcome == trace::CallOutcome::kCompiled,
                           breaks.within(call)});
    if (!analyzer::exists(call.parent)) calls.totalNs += call.durationNs();
  }
  std::vector<std::pair<int64_t, StepTrack>> weighted;
  for (const auto& [key, calls] : byFrame) {
    QString name = frameText(run, key.second);
    if (run.processes.size() > 1)
      name += QString(" (process %1)").arg(static_cast<uint32_t>(key.first));
    weighted.emplace_back(calls.totalNs, alignSteps(name, calls.calls));
  }
  std::stable_sort(weighted.begin(), weighted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<StepTrack> tracks;
  tracks.reserve(weighted.size());
  for (auto& [weight, track] : weighted) tracks.push_back(std::move(track));
  return tracks;
}

}  // namespace

std::shared_ptr<const Timeline> buildTimeline(const std::shared_ptr<const analyzer::Run>& run,
                                              const std::function<bool(int percent)>& proceed) {
  auto timeline = std::make_shared<Timeline>();
  NameTable names(*run);
  std::vector<SourcedLane> lanes;
  const auto addAll = [&lanes](std::vector<SourcedLane> more) {
    std::move(more.begin(), more.end(), std::back_inserter(lanes));
  };
  for (size_t i = 0; i < run->processes.size(); ++i) {
    const auto process = static_cast<ProcessIndex>(i);
    SourcedLane compile = compileLane(*run, process, names);
    if (run->processes.size() > 1) compile.lane.title += QString(" %1").arg(i);
    // The first one also carries the marks of the whole run.
    if (i == 0 || !compile.lane.rows.empty()) lanes.push_back(std::move(compile));
  }
  bool goesOn = true;
  addAll(hostLanes(*run, names, [&](size_t done, size_t all) {
    return goesOn = proceed(static_cast<int>(10 + 50 * done / std::max<size_t>(1, all)));
  }));
  for (size_t i = 0; goesOn && i < run->processes.size(); ++i) {
    addAll(deviceLanes(*run, static_cast<ProcessIndex>(i), names));
    goesOn = proceed(static_cast<int>(60 + 30 * i / run->processes.size()));
  }
  if (!goesOn) return nullptr;
  std::vector<LaneSource> sources;
  sources.reserve(lanes.size());
  for (SourcedLane& lane : lanes) {
    sources.push_back(lane.source);
    timeline->lanes.push_back(std::move(lane.lane));
  }
  timeline->title = titleOf(run->path);
  timeline->subtitle = subtitleOf(*run);
  timeline->losses = lossesOf(*run);
  timeline->names = names.take();
  timeline->marks = marksOf(*run);
  timeline->tracks = tracksOf(*run);
  timeline->extent = {run->startNs, run->endNs};
  const EventDetails details(run, std::move(sources));
  const Timeline* view = timeline.get();
  timeline->describe = [details, view](const Pick& pick) { return details.describe(*view, pick); };
  return timeline;
}

}  // namespace jitscope::gui
