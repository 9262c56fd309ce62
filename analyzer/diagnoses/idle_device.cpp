#include "analyzer/diagnoses/idle_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/host_gaps.h"
#include "analyzer/language.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

// Below that, launches keep up well enough that other things matter more.
constexpr double kLeastIdleShare = 0.1;
constexpr double kLeastWaitShare = 0.01;
constexpr int64_t kLeastLaunches = 10;

/// Gaps with one reason.
struct GapGroup {
  Sum costNs;
  std::vector<Occurrence> occurrences;
  std::map<std::string, Sum> byOperator;  ///< ns by the host's operator
  std::map<trace::Origin, Sum> byOrigin;

  void add(const HostGap& gap) {
    costNs += gap.costNs;
    byOperator[gap.hostOperator] += gap.costNs;
    byOrigin[gap.origin] += gap.costNs;
    occurrences.push_back({gap.process, FrameIndex::kNone, 0, gap.startNs, gap.endNs});
  }
};

/// The use of all devices of a run.
struct RunUse {
  Sum spanNs, busyNs, foreignNs, launches;
  GapGroup launching;
  std::map<std::string, GapGroup> waiting;  ///< "cudaStreamSynchronize/aten::item"
};

RunUse useOf(const Run& run) {
  RunUse use;
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const DeviceUse ofProcess = deviceUseOf(run, run.processes.indexAt(p));
    use.spanNs += ofProcess.spanNs;
    use.busyNs += ofProcess.busyNs;
    use.foreignNs += ofProcess.foreignNs;
    use.launches += ofProcess.launches;
    for (const HostGap& gap : ofProcess.gaps) {
      GapGroup& group =
          gap.wait.empty() ? use.launching : use.waiting[gap.wait + "/" + gap.hostOperator];
      group.add(gap);
    }
  }
  return use;
}

/// "aten::mm (1.2 ms), aten::add (300 µs)".
std::string worstOperators(const GapGroup& group) {
  constexpr size_t kShown = 3;
  std::vector<std::pair<int64_t, std::string_view>> ordered;
  for (const auto& [name, costNs] : group.byOperator) ordered.emplace_back(-costNs, name);
  std::sort(ordered.begin(), ordered.end());
  std::string text;
  for (size_t i = 0; i < ordered.size() && i < kShown; ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", ordered[i].second,
                        durationText(-ordered[i].first));
  }
  return text;
}

/// By what was launched most: operators one by one, a compiled graph's kernels, or whole graphs.
std::string launchFix(const GapGroup& group, Language language) {
  const auto most =
      std::max_element(group.byOrigin.begin(), group.byOrigin.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const bool isCpp = language == Language::kCpp;
  if (most->first == trace::Origin::kReplay) {
    return "CUDA graphs are replayed already: put more into one graph, take larger batches, and "
           "move host work between the replays to another thread";
  }
  std::string graphs =
      isCpp ? "record what repeats with at::cuda::CUDAGraph"
            : "torch.compile(mode=\"reduce-overhead\") replays a CUDA graph instead of launching";
  if (most->first == trace::Origin::kCompiled) return graphs;
  return fmt::format(
      "{} the function, so that fewer and larger kernels are launched, then {}; or "
      "take larger batches",
      isCpp ? "jitscope::compile" : "torch.compile", graphs);
}

/// What else the devices were idle for; empty when nothing.
std::string otherIdleTime(const RunUse& use) {
  Sum waitedNs;
  for (const auto& [key, group] : use.waiting) waitedNs += group.costNs;
  std::string text;
  if (use.foreignNs > 0)
    text +=
        fmt::format("; {} more went to compilations and graph breaks", durationText(use.foreignNs));
  if (waitedNs > 0)
    text += fmt::format("; {} more followed waits of the host", durationText(waitedNs));
  return text;
}

Finding launchFinding(const Run& run, RunUse& use) {
  GapGroup& group = use.launching;
  const Language language = languageOf(run, group.occurrences.front().process, FrameIndex::kNone);
  Finding finding;
  finding.kind = FindingKind::kHostBound;
  finding.causeClass = "launch_bound";
  finding.id = "host_bound/launch_bound";
  const int64_t percent = percentOf(group.costNs, use.spanNs);
  finding.advice.title =
      fmt::format("launch-bound: the GPU waits for the host {} % of the time", percent);
  finding.advice.cause = fmt::format(
      "between their first and last work the devices were busy for {} of {}; in {} gaps the next "
      "kernel had not even been launched when the last one ended; the host was mostly in {}{}",
      durationText(use.busyNs), durationText(use.spanNs),
      countText(static_cast<int64_t>(group.occurrences.size())), worstOperators(group),
      otherIdleTime(use));
  finding.advice.fix = launchFix(group, language);
  finding.cost.timeNs = group.costNs;
  finding.estimate = Estimate{"all device work of the recording", use.spanNs,
                              use.spanNs - group.costNs, "every launch had come in time"};
  finding.evidence = {{"gaps", static_cast<int64_t>(group.occurrences.size())},
                      {"launches", use.launches},
                      {"percent", percent},
                      {"ns of compilations and breaks", use.foreignNs},
                      {"processes", processCount(group.occurrences)}};
  finding.occurrences = std::move(group.occurrences);
  return finding;
}

/// What keeps a value on the device, and in C++ where a hidden wait most often comes from.
std::string waitFix(Language language) {
  std::string fix =
      "keep the value on the device: no item(), tolist(), cpu(), nonzero() or printing of tensors "
      "inside the step; copy with non_blocking=True from pinned memory, and read results one step "
      "later";
  if (language == Language::kCpp)
    fix +=
        "; of a module from torch::jit::load, constants that were traced as tensors are read "
        "back by every layer when load(path, at::kCUDA) moves them to the GPU: load on the "
        "CPU, then module.to(at::kCUDA)";
  return fix;
}

Finding waitFinding(const Run& run, const RunUse& use, const std::string& key, GapGroup& group) {
  const std::string call = key.substr(0, key.find('/'));
  const std::string where = key.substr(call.size() + 1);
  const bool isCompiled = group.byOrigin.contains(trace::Origin::kCompiled);
  Finding finding;
  finding.kind = FindingKind::kSynchronization;
  finding.causeClass = isCompiled ? "in_compiled_code" : "in_eager_code";
  finding.id = "synchronization/" + key;
  finding.advice.title = fmt::format("the host waits for the GPU in {}", where);
  finding.advice.cause = fmt::format(
      "{} calls {}, and until the host has launched something new the GPU has nothing to do", where,
      call);
  finding.advice.fix =
      waitFix(languageOf(run, group.occurrences.front().process, FrameIndex::kNone));
  finding.cost.timeNs = group.costNs;
  finding.estimate = Estimate{"all device work of the recording", use.spanNs,
                              use.spanNs - group.costNs, "the host did not wait there"};
  finding.evidence = {{"waits", static_cast<int64_t>(group.occurrences.size())},
                      {"processes", processCount(group.occurrences)}};
  finding.occurrences = std::move(group.occurrences);
  return finding;
}

}  // namespace

std::vector<Finding> findIdleDevices(const Subject& subject) {
  RunUse use = useOf(subject.run);
  std::vector<Finding> findings;
  const auto shareOf = [&](const GapGroup& group) {
    return use.spanNs == 0 ? 0
                           : static_cast<double>(group.costNs) / static_cast<double>(use.spanNs);
  };
  for (auto& [key, group] : use.waiting) {
    if (shareOf(group) >= kLeastWaitShare)
      findings.push_back(waitFinding(subject.run, use, key, group));
  }
  const bool isLaunchBound =
      use.launches >= kLeastLaunches && shareOf(use.launching) >= kLeastIdleShare;
  if (isLaunchBound) findings.push_back(launchFinding(subject.run, use));
  return findings;
}

}  // namespace jitscope::analyzer
