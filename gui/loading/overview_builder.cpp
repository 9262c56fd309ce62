#include "gui/loading/overview_builder.h"

#include <algorithm>

#include "analyzer/kernel_summary.h"
#include "analyzer/processor_wait.h"
#include "analyzer/recording_notes.h"
#include "analyzer/sampled_traffic.h"
#include "analyzer/sum.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

constexpr size_t kMostFrames = 4;

/// Bars of durations, each as a part of the longest, with its share of all and how many they are.
class Bars {
 public:
  void add(const QString& name, const analyzer::Sum& totalNs, int64_t count, Category category) {
    if (count == 0) return;
    bars_.push_back({name, static_cast<double>(static_cast<int64_t>(totalNs)),
                     countText(count) + "×", category});
  }

  std::vector<DetailBar> take() {
    double longestNs = 1, allNs = 0;
    for (const DetailBar& bar : bars_) {
      longestNs = std::max(longestNs, bar.share);
      allNs += bar.share;
    }
    for (DetailBar& bar : bars_) {
      const QString percent =
          bars_.size() < 2 || allNs <= 0 ? QString() : percentText(bar.share / allNs) + " · ";
      bar.value = durationText(static_cast<int64_t>(bar.share)) + " · " + percent + bar.value;
      bar.share /= longestNs;
    }
    return std::move(bars_);
  }

 private:
  std::vector<DetailBar> bars_;
};

/// How the calls of the frames that took most time were served.
void addFrames(const Recording& recording, Detail& detail) {
  std::vector<const analyzer::FrameSummary*> frames;
  for (const analyzer::FrameSummary& frame : recording.analysis.frames) frames.push_back(&frame);
  const auto totalNs = [](const analyzer::FrameSummary* frame) -> int64_t {
    return analyzer::sumOf(frame->compiled.totalNs,
                           analyzer::sumOf(frame->compiling.totalNs, frame->eager.totalNs));
  };
  std::stable_sort(frames.begin(), frames.end(),
                   [&](const auto* a, const auto* b) { return totalNs(a) > totalNs(b); });
  frames.resize(std::min(frames.size(), kMostFrames));
  for (const analyzer::FrameSummary* frame : frames) {
    Bars bars;
    bars.add("eager", frame->eager.totalNs, frame->eager.count, Category::kEager);
    bars.add("compiling", frame->compiling.totalNs, frame->compiling.count,
             Category::kCompilePhase);
    bars.add("compiled", frame->compiled.totalNs, frame->compiled.count, Category::kCompiled);
    DetailSection section;
    section.heading = "host: calls of " + frameText(*recording.run, frame->frame);
    section.bars = bars.take();
    if (frame->speedup()) {
      section.prose = QString("median %1 compiled, %2 eager: %3")
                          .arg(durationText(frame->compiled.medianNs),
                               durationText(frame->eager.medianNs), factorText(*frame->speedup()));
    }
    if (!section.bars.empty()) detail.sections.push_back(std::move(section));
  }
}

void addKernels(const Recording& recording, Detail& detail) {
  const analyzer::KernelSummary summary = analyzer::summarizeKernels(*recording.run);
  Bars bars;
  const auto add = [&](trace::Origin origin, const char* name, Category category) {
    const auto found = summary.byOrigin.find(origin);
    if (found == summary.byOrigin.end()) return;
    bars.add(name, found->second.totalNs, found->second.count, category);
  };
  add(trace::Origin::kEager, "eager", Category::kEager);
  add(trace::Origin::kCompiled, "compiled", Category::kCompiled);
  add(trace::Origin::kReplay, "replay", Category::kReplay);
  add(trace::Origin::kUnknown, "unknown", Category::kLibrary);
  bars.add("trials", summary.trials.totalNs, summary.trials.count, Category::kCompilePhase);
  DetailSection section;
  section.heading = "GPU: how kernels came to run";
  section.bars = bars.take();
  if (section.bars.empty()) section.prose = "No work of a GPU was recorded.";
  detail.sections.push_back(std::move(section));
}

/// What moved in each device's memory, as its counters had it.
void addTraffic(const analyzer::Run& run, Detail& detail) {
  DetailSection section;
  section.heading = "memory traffic, sampled";
  const int64_t lengthNs = run.endNs - run.startNs;
  for (const analyzer::Process& process : run.processes) {
    const analyzer::SampledTraffic traffic(process);
    if (traffic.isEmpty() || lengthNs <= 0) continue;
    for (const trace::DeviceRow& device : process.rows<trace::DeviceRow>()) {
      const auto moved = traffic.over(device.device, run.startNs, run.endNs);
      if (!moved) continue;
      const QString name = textOf(run, device.name);
      section.fields.push_back({name, bytesText(analyzer::amountOf(moved->read)) + " read, " +
                                          bytesText(analyzer::amountOf(moved->written)) +
                                          " written"});
      if (device.peakBytesPerSecond <= 0) continue;
      section.fields.push_back(
          {"its memory can", bytesText(analyzer::amountOf(device.peakBytesPerSecond)) + "/s"});
    }
  }
  if (!section.fields.empty()) detail.sections.push_back(std::move(section));
}

QString lossText(const analyzer::Loss& loss) {
  const bool isTime = loss.kind == trace::LossKind::kOverhead;
  QString text = toLine(loss.place);
  if (!loss.text.empty()) text += (text.isEmpty() ? "" : ": ") + toLine(loss.text);
  if (isTime)
    return "recording cost " + durationText(loss.amount) +
           (text.isEmpty() ? "" : " (" + text + ")");
  return countText(loss.amount) + " lost: " + text;
}

void addNotes(const analyzer::Run& run, Detail& detail) {
  constexpr size_t kMostLosses = 12;
  QStringList lines;
  const analyzer::ProcessorWait wait = analyzer::processorWait(run);
  if (wait.isLong()) {
    lines << "Threads waited " + percentText(wait.share()) +
                 " of their time for a processor: measured times say little.";
  }
  for (const std::string& note : analyzer::recordingNotes(run)) lines << toLine(note);
  for (size_t i = 0; i < std::min(kMostLosses, run.losses.size()); ++i)
    lines << lossText(run.losses[i]);
  if (run.losses.size() > kMostLosses) {
    lines << "and " +
                 countedText(static_cast<int64_t>(run.losses.size() - kMostLosses), "more loss");
  }
  if (run.lostCount() == 0) lines << "Nothing that was recorded is missing.";
  detail.sections.push_back({"what the recording can tell", {}, {}, lines.join("\n"), {}});
}

}  // namespace

Detail buildOverview(const Recording& recording) {
  const analyzer::Run& run = *recording.run;
  Detail detail{"In numbers", "the whole recording", Category::kHost, {}};
  DetailSection size;
  addField(size, "recorded", durationText(run.endNs - run.startNs));
  addField(size, "processes", countText(static_cast<int64_t>(run.processes.size())));
  const auto frameCount = static_cast<int64_t>(run.frames.size());
  const bool areFramesTold = frameCount > 0 || analyzer::tellsCompiles(run);
  addField(size, "callables", areFramesTold ? countText(frameCount) + " compiled" : kNoValue);
  // Of callables without a single call it is only known that they were compiled.
  const auto callCount = static_cast<int64_t>(run.calls.size());
  const bool areCallsTold = callCount > 0 || (areFramesTold && frameCount == 0);
  addField(size, "calls", areCallsTold ? countText(callCount) : kNoValue);
  addCount(size, "operators", static_cast<int64_t>(run.opCount()));
  addCount(size, "kernels", static_cast<int64_t>(run.kernelCount()));
  detail.sections.push_back(std::move(size));
  addFrames(recording, detail);
  addKernels(recording, detail);
  addTraffic(run, detail);
  addNotes(run, detail);
  return detail;
}

}  // namespace jitscope::gui
