#include "analyzer/diagnoses/cold_compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/frame_name.h"
#include "analyzer/language.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// Where the time of compilations went.
struct PhaseSums {
  Sum captureNs, guardsNs, aotNs, codegenNs, backendNs;

  void add(const Compile& compile) {
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
    return text.empty() ? "its phases are not recorded" : text;
  }
};

/// First compilations with one answer of the cache.
struct CacheGroup {
  Sum costNs;
  PhaseSums phases;
  std::map<std::string, Sum> byFrame;
  std::vector<Occurrence> occurrences;

  void add(const Run& run, const Compile& compile) {
    costNs += compile.costNs();
    phases.add(compile);
    byFrame[frameName(run, compile.frameIndex)] += compile.costNs();
    occurrences.push_back(
        {compile.process, compile.frameIndex, compile.thread, compile.startNs, compile.endNs});
  }

  const std::string& worstFrame() const {
    return std::max_element(byFrame.begin(), byFrame.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
};

Finding findingOf(const Run& run, CacheGroup& group, bool isBypass) {
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
  finding.advice.cause = fmt::format(
      "compiling took {}: {}; the most expensive function is {} ({})", durationText(group.costNs),
      group.phases.text(), worst, durationText(group.byFrame[worst]));
  finding.advice.fix =
      isBypass
          ? "TORCH_LOGS=\"+torch._inductor.codecache\" tells what keeps these graphs from being "
            "cached (a custom operator or pass without a cache key)"
      : isPython
          ? "keep TORCHINDUCTOR_CACHE_DIR between runs and machines, or carry the caches with "
            "torch.compiler.save_cache_artifacts() and load_cache_artifacts(); compile one layer "
            "and reuse it (nested compile regions) where a model repeats it"
          : "keep the cache's folder between runs";
  finding.advice.isAvoidable = isBypass;
  finding.cost.timeNs = group.costNs;
  finding.evidence = {{"compilations", count}, {"processes", processCount(group.occurrences)}};
  finding.occurrences = std::move(group.occurrences);
  return finding;
}

}  // namespace

std::vector<Finding> findColdCompiles(const Subject& subject) {
  CacheGroup missed, passed;
  for (const Compile& compile : subject.run.compiles) {
    // A recompile has a cause of its own, and so has a failure.
    const bool isFirst = compile.attempt == trace::AttemptId{0};
    if (!isFirst || compile.failure != trace::StringId{}) continue;
    if (compile.cache == trace::CacheState::kMiss) missed.add(subject.run, compile);
    if (compile.cache == trace::CacheState::kBypass) passed.add(subject.run, compile);
  }
  std::vector<Finding> findings;
  if (!missed.occurrences.empty()) findings.push_back(findingOf(subject.run, missed, false));
  if (!passed.occurrences.empty()) findings.push_back(findingOf(subject.run, passed, true));
  return findings;
}

}  // namespace jitscope::analyzer
