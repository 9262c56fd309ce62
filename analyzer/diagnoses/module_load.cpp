#include "analyzer/diagnoses/module_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/diagnoses/foreign_time.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/language.h"
#include "analyzer/measure/durations.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::ApiRow;
using trace::KernelRow;

// A launch takes microseconds; one that loads code takes at least this much longer.
constexpr int64_t kLeastExtraNs = 200'000;
// How much more often first launches have to be long than later ones.
constexpr double kFewestTimesMore = 5;
// Of less, nobody asks.
constexpr int64_t kLeastTotalNs = 20'000'000;

bool isLoad(std::string_view api) {
  constexpr std::array<std::string_view, 4> kNames{"cuModuleLoad", "cuLibraryLoad",
                                                   "cudaLibraryLoad", "cuLinkComplete"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return api.starts_with(name); });
}

/// What loading cost over all processes.
struct Loads {
  Sum launchNs, callNs, kernels, calls;
  std::vector<Occurrence> occurrences;

  int64_t totalNs() const { return sumOf(launchNs, callNs); }
};

class LoadFinder {
 public:
  LoadFinder(const Run& run, ProcessIndex index, Loads& loads)
      : run_(run),
        index_(index),
        process_(run.processes[index]),
        foreign_(run, index),
        loads_(loads) {}

  void find() {
    const ApiCalls calls(process_);
    addLaunches(calls);
    for (const ApiRow& call : calls.all()) {
      if (!isLoad(run_.text(call.name))) continue;
      const int64_t ownNs = ownTime(call);
      if (ownNs <= 0) continue;
      ++loads_.calls;
      loads_.callNs += ownNs;
      keep(call);
    }
  }

 private:
  /// Each kernel's first launch, beyond what a launch takes.
  void addLaunches(const ApiCalls& calls) {
    std::vector<const ApiRow*> first, later;
    std::set<trace::StringId> seen;
    for (const size_t i : byStart()) {
      const ApiRow* const call = calls.find(process_.kernels.get<&KernelRow::correlation>(i));
      if (call == nullptr) continue;
      const bool isFirst = seen.insert(process_.kernels.get<&KernelRow::name>(i)).second;
      (isFirst ? first : later).push_back(call);
    }
    const int64_t usualNs = usualTime(later.empty() ? first : later);
    const auto isLong = [&](const ApiRow* call) {
      return ownTime(*call) - usualNs >= kLeastExtraNs;
    };
    // Launches that are long again and again wait for something else, such as a full queue.
    const double longFirst = shareOf(first, isLong), longLater = shareOf(later, isLong);
    if (longFirst < kFewestTimesMore * longLater) return;
    for (const ApiRow* call : first) {
      if (!isLong(call)) continue;
      ++loads_.kernels;
      loads_.launchNs += ownTime(*call) - usualNs;
      keep(*call);
    }
  }

  std::vector<size_t> byStart() const {
    std::vector<size_t> order(process_.kernels.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto starts = process_.kernels.cells<&KernelRow::startNs>();
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return starts[a] < starts[b]; });
    return order;
  }

  static int64_t usualTime(const std::vector<const ApiRow*>& calls) {
    std::vector<int64_t> durations;
    durations.reserve(calls.size());
    for (const ApiRow* call : calls) durations.push_back(call->endNs - call->startNs);
    return medianOf(std::move(durations));
  }

  static double shareOf(const std::vector<const ApiRow*>& calls, const auto& isOne) {
    if (calls.empty()) return 0;
    return static_cast<double>(std::count_if(calls.begin(), calls.end(), isOne)) /
           static_cast<double>(calls.size());
  }

  int64_t ownTime(const ApiRow& call) const {
    return call.endNs - call.startNs - foreign_.within(call.startNs, call.endNs);
  }

  void keep(const ApiRow& call) {
    loads_.occurrences.push_back(
        {index_, FrameIndex::kNone, call.thread, call.startNs, call.endNs});
  }

  const Run& run_;
  ProcessIndex index_;
  const Process& process_;
  ForeignTime foreign_;
  Loads& loads_;
};

}  // namespace

std::vector<Finding> findModuleLoads(const Subject& subject) {
  const Run& run = subject.run;
  Loads loads;
  for (size_t p = 0; p < run.processes.size(); ++p)
    LoadFinder(run, run.processes.indexAt(p), loads).find();
  if (loads.totalNs() < kLeastTotalNs) return {};
  const bool isCpp =
      languageOf(run, loads.occurrences.front().process, FrameIndex::kNone) == Language::kCpp;
  Finding finding;
  finding.kind = FindingKind::kColdCompile;
  finding.causeClass = "module_load";
  finding.id = "cold_compile/module_load";
  finding.advice.title =
      fmt::format("the first launches load code onto the GPU: {}", durationText(loads.totalNs()));
  finding.advice.cause = fmt::format(
      "CUDA loads the code of a kernel when it is first launched: {} kernels' first launches took "
      "{} longer than others, and {} calls that load modules {}; later calls do not pay it",
      countText(loads.kernels), durationText(loads.launchNs), countText(loads.calls),
      durationText(loads.callNs));
  finding.advice.fix = fmt::format(
      "measure after three warm-up calls and {}; run such calls before the service takes requests, "
      "or set CUDA_MODULE_LOADING=EAGER to load everything when the program starts",
      isCpp ? "torch::cuda::synchronize()" : "torch.cuda.synchronize()");
  finding.advice.certainty = Certainty::kLikely;
  finding.advice.isAvoidable = false;
  finding.cost.timeNs = loads.totalNs();
  finding.estimate = Estimate{"the recording", run.endNs - run.startNs,
                              std::max<int64_t>(0, run.endNs - run.startNs - loads.totalNs()),
                              "everything had been loaded before"};
  setOccurrences(finding, "loads", std::move(loads.occurrences),
                 {{"kernels", loads.kernels}, {"calls", loads.calls}});
  return {finding};
}

}  // namespace jitscope::analyzer
