#include "analyzer/diagnoses/server_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/diagnoses/logged_duration.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// One stage of one worker.
struct Stage {
  Sum durationNs;
  int64_t count = 0;
  std::string line;  ///< of the longest
  int64_t longestNs = -1;
  std::vector<Occurrence> occurrences;
};

/// What one worker told of its start.
struct Start {
  std::map<std::string, Stage, std::less<>> stages;

  void add(const Run& run, const Artifact& row) {
    const LoggedDuration told = loggedDuration(run.text(row.content));
    Stage& stage = stages[std::string(run.text(row.name))];
    stage.durationNs += told.durationNs;
    ++stage.count;
    if (told.durationNs > stage.longestNs) {
      stage.longestNs = told.durationNs;
      stage.line = told.line;
    }
    stage.occurrences.push_back({row.process, row.frameIndex, 0, row.timeNs, row.timeNs});
  }
  bool has(std::string_view name) const { return stages.contains(name); }
  int64_t ns(std::string_view name) const {
    const auto known = stages.find(name);
    return known == stages.end() ? 0 : static_cast<int64_t>(known->second.durationNs);
  }
};

/// The worker of which a stage took longest: the others wait for it.
const Start& slowest(const std::map<ProcessIndex, Start>& starts, std::string_view stage) {
  return std::max_element(
             starts.begin(), starts.end(),
             [&](const auto& a, const auto& b) { return a.second.ns(stage) < b.second.ns(stage); })
      ->second;
}

std::vector<Occurrence> occurrencesOf(const std::map<ProcessIndex, Start>& starts,
                                      std::string_view stage) {
  std::vector<Occurrence> result;
  for (const auto& [process, start] : starts) {
    const auto known = start.stages.find(stage);
    if (known == start.stages.end()) continue;
    const std::vector<Occurrence>& more = known->second.occurrences;
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

/// "compile range (1, 8192)" of "Compiling a graph for compile range (1, 8192) takes 41.93 s".
std::string graphOf(std::string_view line) {
  constexpr std::string_view kMark = "Compiling a graph for ";
  line = line.starts_with(kMark) ? line.substr(kMark.size()) : line;
  return std::string(line.substr(0, line.find(" takes ")));
}

Finding startFinding(std::string causeClass) {
  Finding finding;
  finding.kind = FindingKind::kServerStart;
  finding.id = "server_start/" + causeClass;
  finding.causeClass = std::move(causeClass);
  return finding;
}

Finding compileFinding(const std::map<ProcessIndex, Start>& starts) {
  const Start& start = slowest(starts, "inductor");
  const Stage& inductor = start.stages.find("inductor")->second;
  const int64_t wholeNs =
      std::max(start.ns("total"), sumOf(start.ns("dynamo"), start.ns("inductor")));
  Finding finding = startFinding("compile");
  finding.advice.title =
      fmt::format("torch.compile took {} of the server's start", durationText(wholeNs));
  finding.advice.cause = fmt::format(
      "Dynamo took {}, Inductor {} for {} graph{}, longest {} for {}; {}",
      durationText(start.ns("dynamo")), durationText(inductor.durationNs),
      countText(inductor.count), inductor.count == 1 ? "" : "s", durationText(inductor.longestNs),
      graphOf(inductor.line),
      start.has("load") ? fmt::format("other graphs were in the cache and took {} to load",
                                      durationText(start.ns("load")))
                        : "nothing of it was in the cache (a cold start)");
  finding.advice.fix =
      "start again with the same model, flags and versions: then the log says \"Directly load the "
      "compiled graph\" instead. Keep the folder that \"Using cache directory\" names "
      "(VLLM_CACHE_ROOT, ~/.cache/vllm) on a volume between starts and machines; fewer "
      "compile_sizes and ranges compile fewer graphs";
  finding.advice.isAvoidable = start.has("load");
  finding.cost.timeNs = wholeNs;
  finding.estimate = Estimate{"torch.compile's part of a start", wholeNs,
                              std::max<int64_t>(0, wholeNs - inductor.durationNs),
                              "the graphs were in the cache and loading them took no time"};
  setOccurrences(finding, "graphs", occurrencesOf(starts, "inductor"));
  return finding;
}

/// A server that compiles while it captures graphs, once for each batch size.
Finding captureFinding(const std::map<ProcessIndex, Start>& starts) {
  const Start& start = slowest(starts, "capture");
  Finding finding = startFinding("compile_per_batch_size");
  finding.advice.title = fmt::format("compiling and capturing each batch size took {} of the start",
                                     durationText(start.ns("capture")));
  finding.advice.cause =
      "the server runs with torch.compile and captures a CUDA graph for each batch size: each size "
      "is compiled on its own (dynamic=False) before it is captured";
  finding.advice.fix =
      "compile with dynamic=True, so that one compilation serves all sizes; or fewer sizes "
      "(--torch-compile-max-bs, --cuda-graph-max-bs, --cuda-graph-bs); keep "
      "TORCHINDUCTOR_CACHE_DIR between starts";
  finding.advice.certainty = Certainty::kLikely;
  finding.cost.timeNs = start.ns("capture");
  setOccurrences(finding, "captures", occurrencesOf(starts, "capture"));
  return finding;
}

/// Dynamo is done, and nothing more is told of the compilation.
bool isUnfinished(const Start& start) {
  return start.has("dynamo") && !start.has("inductor") && !start.has("load") &&
         !start.has("total") && !start.has("capture") && !start.has("engine");
}

Finding unfinishedFinding(const std::map<ProcessIndex, Start>& starts) {
  Finding finding = startFinding("unfinished");
  finding.advice.title = "the start's last stage in this log is Dynamo: Inductor did not finish";
  finding.advice.cause = fmt::format(
      "Dynamo was done after {}, and the log ends before Inductor has compiled a graph: it hangs "
      "or "
      "still compiles, or the log was cut; which of it is not in this file",
      durationText(slowest(starts, "dynamo").ns("dynamo")));
  finding.advice.fix =
      "look where it is: py-spy dump --pid PID of the worker, or TORCH_TRACE=DIR; compilation in "
      "subprocesses can be ruled out with TORCHINDUCTOR_COMPILE_THREADS=1, and torch.compile as "
      "such with --enforce-eager";
  finding.advice.certainty = Certainty::kUnknown;
  setOccurrences(finding, "workers", occurrencesOf(starts, "dynamo"));
  return finding;
}

/// A library that builds kernels of its own, which is easily taken for recompilations.
Finding libraryFinding(const std::map<ProcessIndex, Start>& starts) {
  Finding finding = startFinding("library_kernels");
  finding.advice.title = "flashinfer builds or tunes kernels of its own";
  finding.advice.cause =
      "the log tells of flashinfer's own just-in-time compilation: a stall there is not "
      "torch.compile, and no recompilation";
  finding.advice.fix =
      "warm the shapes up before traffic comes, or install the prebuilt kernels "
      "(flashinfer-jit-cache, flashinfer-cubin); how long it took is not in this log: py-spy dump "
      "during the stall shows it";
  finding.advice.certainty = Certainty::kLikely;
  setOccurrences(finding, "lines", occurrencesOf(starts, "flashinfer"));
  return finding;
}

}  // namespace

std::vector<Finding> findServerStarts(const Subject& subject) {
  std::map<ProcessIndex, Start> starts;
  for (const Artifact& row : subject.run.artifacts) {
    if (subject.run.text(row.kind) == "server_stage") starts[row.process].add(subject.run, row);
  }
  const auto any = [&](std::string_view stage) {
    return std::any_of(starts.begin(), starts.end(),
                       [&](const auto& each) { return each.second.has(stage); });
  };
  std::vector<Finding> findings;
  if (any("inductor")) findings.push_back(compileFinding(starts));
  if (any("torch_compile") && any("capture")) findings.push_back(captureFinding(starts));
  if (any("flashinfer")) findings.push_back(libraryFinding(starts));
  const bool isStuck = !starts.empty() && any("dynamo") &&
                       std::all_of(starts.begin(), starts.end(), [](const auto& each) {
                         return !each.second.has("dynamo") || isUnfinished(each.second);
                       });
  if (isStuck) findings.push_back(unfinishedFinding(starts));
  return findings;
}

}  // namespace jitscope::analyzer
