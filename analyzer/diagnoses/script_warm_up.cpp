#include "analyzer/diagnoses/script_warm_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/language.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/measure/durations.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::OpRow;

constexpr size_t kFewestCalls = 5;
constexpr int64_t kSlowerThanUsual = 5;
constexpr int64_t kLeastTotalNs = 10'000'000;

/// What only TorchScript's executor runs.
bool isOfScript(std::string_view op) {
  return op.starts_with("__torch__") || op.starts_with("prim::") ||
         op.find("TensorExpr") != std::string_view::npos;
}

/// A method of a scripted module, by the name that the executor gives to its call.
bool isMethod(std::string_view op) { return op == "forward" || op.starts_with("__torch__"); }

/// The calls of each method.
using Methods = std::map<std::string, std::vector<Occurrence>>;

void addCalls(const Run& run, ProcessIndex index, Methods& methods) {
  const Process& process = run.processes[index];
  bool isScript = false;
  Methods found;
  for (size_t i = 0; i < process.ops.size(); ++i) {
    const trace::StringId id = process.ops.get<&OpRow::name>(i);
    const std::string_view name = run.text(id);
    isScript |= isOfScript(name);
    if (!isMethod(name)) continue;
    const int64_t startNs = process.ops.get<&OpRow::startNs>(i);
    const int64_t endNs = process.ops.get<&OpRow::endNs>(i);
    if (!isValidSpan(startNs, endNs) || process.ops.get<&OpRow::depth>(i) > 1) continue;
    found[std::string(name)].push_back(
        {index, FrameIndex::kNone, process.ops.get<&OpRow::thread>(i), startNs, endNs});
  }
  if (!isScript) return;
  for (auto& [name, calls] : found) {
    std::vector<Occurrence>& all = methods[name];
    all.insert(all.end(), calls.begin(), calls.end());
  }
}

/// The calls that took far longer than the median one.
struct SlowCalls {
  int64_t usualNs = 0;
  Sum extraNs, leading;  ///< of `leading` ones in front of the first usual call
  std::vector<Occurrence> calls;
};

SlowCalls slowCallsOf(std::vector<Occurrence> calls) {
  SlowCalls slow;
  std::stable_sort(calls.begin(), calls.end(),
                   [](const Occurrence& a, const Occurrence& b) { return a.startNs < b.startNs; });
  std::vector<int64_t> durations;
  durations.reserve(calls.size());
  for (const Occurrence& call : calls) durations.push_back(call.endNs - call.startNs);
  slow.usualNs = medianOf(durations);
  bool isFront = true;
  for (size_t i = 0; i < calls.size(); ++i) {
    const bool isSlow = durations[i] > productOf(slow.usualNs, kSlowerThanUsual);
    isFront &= isSlow;
    if (!isSlow) continue;
    slow.extraNs += durations[i] - slow.usualNs;
    if (isFront) ++slow.leading;
    slow.calls.push_back(calls[i]);
  }
  return slow;
}

Finding findingOf(const Run& run, const std::string& method, SlowCalls& slow, int64_t callCount) {
  const bool isCpp =
      languageOf(run, slow.calls.front().process, FrameIndex::kNone) == Language::kCpp;
  const auto count = static_cast<int64_t>(slow.calls.size());
  Finding finding;
  finding.kind = FindingKind::kColdCompile;
  finding.causeClass = "torchscript_warm_up";
  finding.id = "cold_compile/torchscript_warm_up/" + method;
  finding.advice.title = fmt::format(
      "TorchScript warms up: {} calls of {} are far slower than the "
      "others",
      countText(count), method);
  finding.advice.cause = fmt::format(
      "the executor profiles a module's first calls and compiles fused kernels for the shapes that "
      "it sees; {} of {} calls took more than {} times the usual {}, {} of them at the start{}",
      countText(count), countText(callCount), kSlowerThanUsual, durationText(slow.usualNs),
      countText(slow.leading),
      slow.leading < count ? ", the others where new shapes most probably came" : "");
  finding.advice.fix = fmt::format(
      "{} so that one kernel serves all sizes, freeze the module, and call it with each shape "
      "before it serves; turning the fuser off (torch._C._jit_set_texpr_fuser_enabled(False)) ends "
      "the wait but costs speed; AOTInductor compiles ahead of time instead",
      isCpp ? "torch::jit::setFusionStrategy({{torch::jit::FusionBehavior::DYNAMIC, 3}})"
            : "torch.jit.set_fusion_strategy([(\"DYNAMIC\", 3)])");
  finding.advice.certainty = Certainty::kLikely;
  finding.advice.isAvoidable = slow.leading < count;
  finding.cost.timeNs = slow.extraNs;
  const int64_t nowNs = slow.calls.front().endNs - slow.calls.front().startNs;
  finding.estimate = Estimate{fmt::format("the first slow call of {}", method), nowNs, slow.usualNs,
                              "the module were warm"};
  setOccurrences(finding, "slow calls", std::move(slow.calls),
                 {{"calls", callCount}, {"at the start", slow.leading}});
  return finding;
}

}  // namespace

std::vector<Finding> findScriptWarmUps(const Subject& subject) {
  Methods methods;
  for (size_t p = 0; p < subject.run.processes.size(); ++p)
    addCalls(subject.run, subject.run.processes.indexAt(p), methods);
  std::vector<Finding> findings;
  for (const auto& [name, calls] : methods) {
    if (calls.size() < kFewestCalls) continue;
    SlowCalls slow = slowCallsOf(calls);
    if (slow.calls.empty() || slow.extraNs < kLeastTotalNs) continue;
    findings.push_back(findingOf(subject.run, name, slow, static_cast<int64_t>(calls.size())));
  }
  return findings;
}

}  // namespace jitscope::analyzer
