#include "analyzer/diagnoses/autotune.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/logged_duration.h"
#include "analyzer/import/decimal_number.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// "… takes 0.17 seconds and 2.5 seconds precompiling for 20 choices": the second duration.
int64_t precompileNs(std::string_view line) {
  constexpr std::string_view kMark = " seconds and ";
  const size_t at = line.find(kMark);
  if (at == std::string_view::npos) return 0;
  const double seconds = numberAt(line.substr(at + kMark.size()));
  constexpr double kMostSeconds = 1e9;
  return seconds > 0 && seconds < kMostSeconds ? static_cast<int64_t>(seconds * 1e9) : 0;
}

/// Of one operator with one set of shapes.
struct Tuned {
  Sum benchmarkNs, precompileNs;
  int64_t wholeNs() const { return sumOf(benchmarkNs, precompileNs); }
};

struct Tunings {
  std::map<std::string, Tuned> byOperator;
  Tuned all;
  std::vector<Occurrence> occurrences;

  void add(const Run& run, const Artifact& row) {
    const LoggedDuration told = loggedDuration(run.text(row.content));
    const int64_t precompile = precompileNs(told.line);
    for (Tuned* const each : {&all, &byOperator[std::string(run.text(row.name))]}) {
      each->benchmarkNs += told.durationNs;
      each->precompileNs += precompile;
    }
    occurrences.push_back({row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
  }
};

Advice adviceOf(const Tunings& tunings) {
  const auto worst = std::max_element(
      tunings.byOperator.begin(), tunings.byOperator.end(),
      [](const auto& a, const auto& b) { return a.second.wholeNs() < b.second.wholeNs(); });
  const auto count = static_cast<int64_t>(tunings.occurrences.size());
  Advice advice;
  advice.title =
      fmt::format("autotuning took {} for {} operator{}", durationText(tunings.all.wholeNs()),
                  countText(count), count == 1 ? "" : "s");
  const std::string precompiling = tunings.all.precompileNs > 0
                                       ? fmt::format("{} on precompiling candidates and ",
                                                     durationText(tunings.all.precompileNs))
                                       : "";
  advice.cause = fmt::format(
      "max-autotune spent {}{} on running {} before the first call could begin; this is no "
      "recompilation",
      precompiling, durationText(tunings.all.benchmarkNs),
      precompiling.empty() ? "candidates" : "them");
  if (!worst->first.empty())
    advice.cause +=
        fmt::format("; most for {} ({})", worst->first, durationText(worst->second.wholeNs()));
  advice.fix =
      "keep TORCHINDUCTOR_CACHE_DIR between starts, which keeps the results; else fewer candidates "
      "(torch._inductor.config.max_autotune_gemm_backends = \"ATEN,TRITON\", "
      "max_autotune_gemm_search_space = \"DEFAULT\"), or mode=\"default\" or "
      "\"reduce-overhead\", which try none";
  advice.isAvoidable = false;
  return advice;
}

}  // namespace

std::vector<Finding> findAutotunes(const Subject& subject) {
  Tunings tunings;
  for (const Artifact& row : subject.run.artifacts) {
    if (subject.run.text(row.kind) == "autotune") tunings.add(subject.run, row);
  }
  if (tunings.all.wholeNs() <= 0) return {};
  Finding finding;
  finding.kind = FindingKind::kAutotune;
  finding.causeClass = "max_autotune";
  finding.id = "autotune/max_autotune";
  finding.advice = adviceOf(tunings);
  finding.cost.timeNs = tunings.all.wholeNs();
  setOccurrences(finding, "operators", std::move(tunings.occurrences));
  return {finding};
}

}  // namespace jitscope::analyzer
