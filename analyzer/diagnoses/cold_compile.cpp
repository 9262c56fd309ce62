#include "analyzer/diagnoses/cold_compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/diagnoses/cache_records.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// Where the time of compilations went.
struct PhaseSums {
  Sum captureNs, guardsNs, aotNs, codegenNs, backendNs, autotuneNs, tritonNs;

  void add(const Compile& compile, const CacheRecords& records) {
    autotuneNs += records.phaseNs(compile, "autotuning");
    tritonNs += records.phaseNs(compile, "Triton");
    captureNs += compile.captureNs;
    guardsNs += compile.guardsNs;
    aotNs += compile.aotNs;
    codegenNs += compile.codegenNs;
    backendNs += compile.backendNs;
  }

  /// "capture 1.2 s, autograd 300 ms, …"; phases without time are left out.
  std::string text() const {
    const std::pair<const char*, int64_t> phases[] = {{"capture", captureNs},
                                                      {"guards", guardsNs},
                                                      {"AOTAutograd", aotNs},
                                                      {"code generation", codegenNs},
                                                      {"backend", backendNs}};
    std::string text;
    for (const auto& [name, durationNs] : phases) {
      if (durationNs == 0) continue;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, durationText(durationNs));
    }
    if (tritonNs > 0)
      text += fmt::format(", of the code and backend part {} in Triton", durationText(tritonNs));
    if (autotuneNs > 0) text += fmt::format(", {} in autotuning kernels", durationText(autotuneNs));
    return text.empty() ? "its phases are not recorded" : text;
  }
};

/// First compilations with one answer of the cache.
struct CacheGroup {
  Sum costNs;
  PhaseSums phases;
  std::map<std::string, Sum> byFrame;
  std::set<std::string> reasons;
  std::vector<Occurrence> occurrences;

  void add(const Run& run, const Compile& compile, const CacheRecords& records) {
    costNs += compile.costNs();
    phases.add(compile, records);
    byFrame[frameName(run, compile.frameIndex)] += compile.costNs();
    if (const std::string_view reason = records.bypassOf(compile); !reason.empty())
      reasons.insert(std::string(reason.substr(0, reason.find('\n'))));
    occurrences.push_back(
        {compile.process, compile.frameIndex, compile.thread, compile.startNs, compile.endNs});
  }

  const std::string& worstFrame() const {
    return std::max_element(byFrame.begin(), byFrame.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
};

std::string listed(const std::vector<std::string>& names) {
  constexpr size_t kShown = 5;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kShown; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > kShown ? ", …" : "");
}

/// What of the key was new, where two recordings of the same graph tell it.
std::string keyStory(const CacheRecords& records) {
  if (!records.tellsKeys()) return {};
  const std::vector<std::string> parts = records.differingParts();
  if (!parts.empty())
    return "; of the cache's key these parts differ between the processes: " + listed(parts);
  return "; which part of the cache's key was new cannot be told from one recording: record the "
         "start that filled the cache beside it (TORCH_TRACE with the same folder)";
}

struct BypassFix {
  std::string_view words, fix;
};

constexpr BypassFix kBypassFixes[] = {
    {"custom_p",
     "give the custom pass a key: derive it from "
     "torch._inductor.custom_graph_pass.CustomGraphPass and return one in uuid()"},
    {"custom pass",
     "give the custom pass a key: derive it from "
     "torch._inductor.custom_graph_pass.CustomGraphPass and return one in uuid()"},
    {"call_function target",
     "register the function as an operator (torch.library.custom_op) or "
     "allow it by its name in torch._inductor.config."
     "unsafe_marked_cacheable_functions"},
    {"cache_hash", "give the context function of the checkpoint a cache_hash attribute"},
    {"mkldnn",
     "freezing packs weights in a form that cannot be stored: switch freezing off, or "
     "accept one compilation a start"},
    {"pickle",
     "some object in the graph or the options cannot be pickled: pass plain functions of "
     "modules instead of lambdas and closures"},
    {"torchbind",
     "graphs that hold TorchBind objects are not cached: take the object out of the "
     "compiled function"},
    {"",
     "TORCH_LOGS=\"+torch._inductor.codecache\" tells what keeps these graphs from being cached "
     "(a custom operator or pass without a cache key)"},
};

std::string bypassFix(const std::set<std::string>& reasons) {
  const std::string reason = reasons.empty() ? "" : *reasons.begin();
  for (const BypassFix& each : kBypassFixes) {
    if (reason.find(each.words) != std::string::npos) return std::string(each.fix);
  }
  return {};
}

std::string missFix(bool isPython) {
  return isPython
             ? "keep TORCHINDUCTOR_CACHE_DIR between runs and machines, or carry the caches with "
               "torch.compiler.save_cache_artifacts() and load_cache_artifacts(); compile one "
               "layer and reuse it (nested compile regions) where a model repeats it"
             : "keep the cache's folder between runs";
}

Finding findingOf(const Run& run, CacheGroup& group, const CacheRecords& records, bool isBypass) {
  const auto count = static_cast<int64_t>(group.occurrences.size());
  const Occurrence& first = group.occurrences.front();
  const bool isPython = languageOf(run, first.process, first.frame) == Language::kPython;
  const std::string& worst = group.worstFrame();
  Finding finding;
  finding.kind = FindingKind::kColdCompile;
  finding.causeClass = isBypass ? "cache_bypass" : "cache_miss";
  finding.id = fmt::format("cold_compile/{}", finding.causeClass);
  finding.advice.title =
      fmt::format("{} first compilation{} {} the cache on disk", countText(count),
                  count == 1 ? "" : "s", isBypass ? "went past" : "found nothing in");
  finding.advice.cause =
      group.costNs == 0
          ? "how long compiling took is not in these files"
          : fmt::format("compiling took {}: {}; the most expensive function is {} ({})",
                        durationText(group.costNs), group.phases.text(), worst,
                        durationText(group.byFrame[worst]));
  if (isBypass && !group.reasons.empty())
    finding.advice.cause +=
        "; the cache says: " + listed({group.reasons.begin(), group.reasons.end()});
  if (!isBypass) finding.advice.cause += keyStory(records);
  finding.advice.fix = isBypass ? bypassFix(group.reasons) : missFix(isPython);
  finding.advice.isAvoidable = isBypass;
  finding.cost.timeNs = group.costNs;
  finding.evidence = {{"compilations", count}, {"processes", processCount(group.occurrences)}};
  finding.occurrences = std::move(group.occurrences);
  return finding;
}

}  // namespace

std::vector<Finding> findColdCompiles(const Subject& subject) {
  const CacheRecords records(subject.run);
  CacheGroup missed, passed;
  for (const Compile& compile : subject.run.compiles) {
    // A recompile has a cause of its own, and so has a failure.
    const bool isFirst = compile.attempt == trace::AttemptId{0};
    if (!isFirst || compile.failure != trace::StringId{}) continue;
    if (compile.cache == trace::CacheState::kMiss) missed.add(subject.run, compile, records);
    if (compile.cache == trace::CacheState::kBypass) passed.add(subject.run, compile, records);
  }
  std::vector<Finding> findings;
  if (!missed.occurrences.empty())
    findings.push_back(findingOf(subject.run, missed, records, false));
  if (!passed.occurrences.empty())
    findings.push_back(findingOf(subject.run, passed, records, true));
  return findings;
}

}  // namespace jitscope::analyzer
