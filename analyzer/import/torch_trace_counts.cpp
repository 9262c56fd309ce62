#include "analyzer/import/torch_trace_counts.h"

#include <algorithm>

namespace jitscope::analyzer {

void TorchTraceCounts::add(const TorchTraceRecord& record) {
  ++records_;
  payloads_ += record.hasPayload ? 1 : 0;
  if (record.rank >= 0) ranks_.insert(record.rank);
  if (record.id.frame >= 0) frames_.insert(record.id.frame);
  if (record.id.isTold()) compileIds_.insert(record.id);
  if (!events_.contains(record.event)) events_.emplace(record.event);
  if (record.hasSubgraph) events_.emplace("subgraph_name");
  if (record.event == "artifact") addArtifact(record.value["name"].plain());
  if (record.event != "compilation_metrics") return;
  const JsonView failure = record.value["fail_type"];
  if (failure.exists() && !failure.isNull()) ++failures_;
  bool wasRestarted = false;
  record.value["restart_reasons"].forEachItem([&](JsonView) { return !(wasRestarted = true); });
  restarted_ += wasRestarted ? 1 : 0;
}

void TorchTraceCounts::addArtifact(std::string_view name) {
  if (name == "recompile_reasons") ++recompileReasons_;
  if (name == "dynamo_graph_break_reason") ++graphBreaks_;
  if (name.ends_with("cache_hit")) ++cacheHits_;
  if (name.ends_with("cache_miss")) ++cacheMisses_;
  if (name.ends_with("cache_bypass")) ++cacheBypasses_;
}

std::vector<std::pair<std::string, int64_t>> TorchTraceCounts::list(
    const TorchTraceDamage& damage) const {
  const auto recompiled = std::count_if(compileIds_.begin(), compileIds_.end(),
                                        [](const TorchCompileId& id) { return id.attempt > 0; });
  const auto count = [](const auto& set) { return static_cast<int64_t>(set.size()); };
  return {{"records", records_},
          {"payloads", payloads_},
          {"md5_bad_as_is", damage.md5BadAsIs},
          {"md5_bad_tolerant", damage.md5BadTolerant},
          {"other_lines", damage.otherLines},
          {"ranks", count(ranks_)},
          {"frames", count(frames_)},
          {"compile_ids", count(compileIds_)},
          {"recompiled_ids", recompiled},
          {"recompile_reasons", recompileReasons_},
          {"graph_break_artifacts", graphBreaks_},
          {"failures", failures_},
          {"metrics_with_restart_reasons", restarted_},
          {"cache_hit", cacheHits_},
          {"cache_miss", cacheMisses_},
          {"cache_bypass", cacheBypasses_},
          {"event_keys", count(events_)}};
}

}  // namespace jitscope::analyzer
