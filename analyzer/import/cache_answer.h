#pragma once

#include <string>
#include <string_view>

#include "analyzer/import/json_view.h"

namespace jitscope::analyzer {

/// What a cache on disk said of one graph.
struct CacheAnswer {
  std::string_view cache;  ///< "fx_graph" or "aotautograd"; empty: the record is of no cache
  std::string bypass;      ///< why the graph cannot be cached; empty when it can
  std::string key;         ///< a line `name hash` for each part of the key
};

/// Reads the payload of an artifact `fx_graph_cache_miss` and its like.
CacheAnswer readCacheAnswer(std::string_view name, std::string_view payload);

}  // namespace jitscope::analyzer
