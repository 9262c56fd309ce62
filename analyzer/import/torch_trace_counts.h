#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/import/torch_trace_reader.h"

namespace jitscope::analyzer {

/// Counts what a TORCH_TRACE file holds, whatever becomes of it.
class TorchTraceCounts {
 public:
  void add(const TorchTraceRecord& record);

  /// Names and numbers: records, payloads, compile_ids, …
  std::vector<std::pair<std::string, int64_t>> list(const TorchTraceDamage& damage) const;

 private:
  void addArtifact(std::string_view name);

  int64_t records_ = 0, payloads_ = 0;
  int64_t recompileReasons_ = 0, graphBreaks_ = 0, failures_ = 0, restarted_ = 0;
  int64_t cacheHits_ = 0, cacheMisses_ = 0, cacheBypasses_ = 0;
  std::set<int64_t> ranks_, frames_;
  std::set<TorchCompileId> compileIds_;
  std::set<std::string, std::less<>> events_;
};

}  // namespace jitscope::analyzer
