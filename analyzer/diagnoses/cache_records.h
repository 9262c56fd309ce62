#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What the caches on disk said of the compilations of a run beside hit and miss.
class CacheRecords {
 public:
  explicit CacheRecords(const Run& run);

  /// Why a compilation's graph went past a cache; empty when it did not, or nothing tells.
  std::string_view bypassOf(const Compile& compile) const;

  /// How long a part of a compilation took that has no column of its own ("autotuning", "Triton"),
  /// in nanoseconds.
  int64_t phaseNs(const Compile& compile, std::string_view phase) const;

  /// The parts of the key that differ between processes that compiled the same graph, as the key
  /// names them. Empty when no two processes tell their keys of one graph.
  std::vector<std::string> differingParts() const;

  /// Whether any key is told.
  bool tellsKeys() const { return !keys_.empty(); }

 private:
  using Key = std::tuple<ProcessIndex, trace::FrameId, trace::AttemptId>;
  /// Frame, attempt and cache.
  using Graph = std::tuple<trace::FrameId, trace::AttemptId, std::string_view>;

  std::map<Key, std::string_view> bypasses_;
  std::map<std::pair<Key, std::string_view>, int64_t> phases_;
  std::map<Graph, std::map<ProcessIndex, std::string_view>> keys_;
};

}  // namespace jitscope::analyzer
