#include "analyzer/diagnoses/recording_faults.h"

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/diagnoses/fault_ledger.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

using trace::CorrelationId;

Occurrence at(ProcessIndex process, int64_t startNs, int64_t endNs) {
  return {process, FrameIndex::kNone, 0, startNs, endNs};
}

/// Looks through the device work of one process.
class ProcessFaults {
 public:
  ProcessFaults(const Run& run, ProcessIndex index, FaultLedger& ledger)
      : run_(run),
        index_(index),
        process_(run.processes[index]),
        calls_(process_),
        work_(deviceWorkOf(process_)),
        ledger_(ledger) {}

  void find() {
    findTimes();
    findJoins();
    findOverlaps();
    findLostKernels();
  }

 private:
  Occurrence at(const DeviceWork& work) const {
    return analyzer::at(index_, work.startNs, work.endNs);
  }

  void findTimes() {
    for (const DeviceWork& work : work_) {
      if (work.startNs == work.endNs) ledger_.of(Fault::kZeroDuration).add(at(work));
      const trace::ApiRow* const call = calls_.find(work.correlation);
      if (call == nullptr || call->startNs <= work.startNs) continue;
      FaultCount& skew = ledger_.of(Fault::kClockSkew);
      skew.add(at(work));
      skew.amountsNs.push_back(call->startNs - work.startNs);
    }
  }

  void findJoins() {
    if (work_.empty()) return;
    if (calls_.all().empty() && process_.ops.size() == 0) {
      for (const DeviceWork& work : work_) ledger_.of(Fault::kDeviceOnly).add(at(work));
      return;
    }
    for (const DeviceWork& work : work_) {
      // The importer gives work without a correlation the negative id of the profiler itself.
      const bool hasCorrelation = work.correlation > CorrelationId::kNone;
      if (!hasCorrelation) ledger_.of(Fault::kNoCorrelation).add(at(work));
      if (hasCorrelation && calls_.find(work.correlation) == nullptr)
        ledger_.of(Fault::kUnjoined).add(at(work));
    }
  }

  void findOverlaps() {
    constexpr int64_t kRoundingNs = 2;
    std::map<std::pair<int64_t, int64_t>, BusyTime> streams;
    std::map<int64_t, BusyTime> devices;
    Sum summedNs;
    std::vector<Occurrence> overlaps;
    for (const DeviceWork& work : work_) {
      BusyTime& stream = streams[{work.device, work.stream}];
      if (stream.busyNs() > 0 && work.startNs < stream.endNs() - kRoundingNs)
        overlaps.push_back(at(work));
      stream.add(work);
      devices[work.device].add(work);
      summedNs += work.endNs - work.startNs;
    }
    if (overlaps.empty()) return;
    FaultCount& fault = ledger_.of(Fault::kOverlap);
    for (const Occurrence& each : overlaps) fault.add(each);
    fault.summedNs += summedNs;
    for (const auto& [device, time] : devices) fault.busyNs += time.busyNs();
  }

  /// Launches after which nothing came, but for those that a stream recorded instead of running.
  std::vector<const trace::ApiRow*> realLaunches() const {
    std::vector<const trace::ApiRow*> calls;
    for (const trace::ApiRow& call : calls_.all()) calls.push_back(&call);
    std::stable_sort(calls.begin(), calls.end(),
                     [](const auto* a, const auto* b) { return a->startNs < b->startNs; });
    std::vector<const trace::ApiRow*> launches;
    std::map<int64_t, bool> isCapturing;
    for (const trace::ApiRow* call : calls) {
      const std::string_view name = run_.text(call->name);
      bool& captures = isCapturing[call->thread];
      if (name.find("StreamBeginCapture") != std::string_view::npos) captures = true;
      if (name.find("StreamEndCapture") != std::string_view::npos) captures = false;
      const bool hasId = call->correlation > CorrelationId::kNone;
      if (!captures && hasId && isLaunch(name)) launches.push_back(call);
    }
    return launches;
  }

  void findLostKernels() {
    const std::vector<const trace::ApiRow*> launches = realLaunches();
    std::vector<CorrelationId> ran;
    for (const DeviceWork& work : work_) ran.push_back(work.correlation);
    for (const trace::GraphLaunchRow& graph : process_.rows<trace::GraphLaunchRow>())
      ran.push_back(graph.correlation);
    std::sort(ran.begin(), ran.end());
    const auto hasRun = [&](const trace::ApiRow* launch) {
      return std::binary_search(ran.begin(), ran.end(), launch->correlation);
    };
    const auto first = std::find_if(launches.begin(), launches.end(), hasRun);
    const auto last = std::find_if(launches.rbegin(), launches.rend(), hasRun).base();
    for (auto each = launches.begin(); each != launches.end(); ++each) {
      if (hasRun(*each)) continue;
      Fault fault = Fault::kLostBetween;
      if (first == launches.end())
        fault = Fault::kNoKernels;
      else if (each < first)
        fault = Fault::kLostAtStart;
      else if (each >= last)
        fault = Fault::kLostAtEnd;
      ledger_.of(fault).add(analyzer::at(index_, (*each)->startNs, (*each)->endNs));
    }
  }

  const Run& run_;
  ProcessIndex index_;
  const Process& process_;
  ApiCalls calls_;
  std::vector<DeviceWork> work_;
  FaultLedger& ledger_;
};

/// What the importer had to leave out or mend because it cannot be right.
void addImported(const Run& run, FaultLedger& ledger) {
  for (const Input& input : run.inputs) {
    for (const InputCount& count : input.counts) {
      const int64_t* const amount = std::get_if<int64_t>(&count.amount);
      if (amount == nullptr || *amount == 0) continue;
      if (count.name == "lost_times") ledger.of(Fault::kLostTimes).count += *amount;
      if (count.name == "legacy_events") ledger.of(Fault::kLegacyProfiler).count += *amount;
      if (count.name == "neg_dur") ledger.of(Fault::kNegativeDuration).count += *amount;
    }
  }
}

/// Kernels that the importer left out have launches, and one whose duration was mended is short:
/// neither is to be told twice.
void leaveOutTwins(FaultLedger& ledger) {
  const int64_t withoutTimes = ledger.of(Fault::kLostTimes).count;
  Sum withoutKernel;
  for (const Fault fault : {Fault::kLostAtStart, Fault::kLostAtEnd, Fault::kLostBetween})
    withoutKernel += ledger.of(fault).count;
  if (withoutKernel <= withoutTimes) {
    for (const Fault fault : {Fault::kLostAtStart, Fault::kLostAtEnd, Fault::kLostBetween})
      ledger.of(fault) = {};
  }
  if (ledger.of(Fault::kZeroDuration).count <= ledger.of(Fault::kNegativeDuration).count)
    ledger.of(Fault::kZeroDuration) = {};
  // That profiler has neither, which is told already.
  if (ledger.of(Fault::kLegacyProfiler).count > 0) ledger.of(Fault::kNoCorrelation) = {};
  // A launch or two without kernels is a cut-out, not a profiler that another tool kept out.
  constexpr int64_t kFewestLaunches = 3;
  if (ledger.of(Fault::kNoKernels).count < kFewestLaunches) ledger.of(Fault::kNoKernels) = {};
}

}  // namespace

std::vector<Finding> findRecordingFaults(const Subject& subject) {
  FaultLedger ledger;
  for (size_t p = 0; p < subject.run.processes.size(); ++p) {
    ProcessFaults(subject.run, subject.run.processes.indexAt(p), ledger).find();
  }
  addImported(subject.run, ledger);
  leaveOutTwins(ledger);
  return ledger.take();
}

}  // namespace jitscope::analyzer
