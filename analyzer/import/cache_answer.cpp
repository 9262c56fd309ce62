#include "analyzer/import/cache_answer.h"

namespace jitscope::analyzer {
namespace {

/// `[bxgdrihz…] grad_enabled: True` → `grad_enabled bxgdrihz…`; empty for what is none.
std::string partOfKey(std::string_view component) {
  const size_t close = component.find("] ");
  if (!component.starts_with('[') || close == std::string_view::npos) return {};
  const std::string_view hash = component.substr(1, close - 1);
  const std::string_view name = component.substr(close + 2);
  const size_t end = name.find(':');
  if (end == std::string_view::npos || end == 0) return {};
  return std::string(name.substr(0, end)) + " " + std::string(hash);
}

}  // namespace

CacheAnswer readCacheAnswer(std::string_view name, std::string_view payload) {
  CacheAnswer answer;
  if (name.starts_with("fx_graph_cache_")) answer.cache = "fx_graph";
  if (name.starts_with("aotautograd_cache_")) answer.cache = "aotautograd";
  if (answer.cache.empty()) return answer;
  JsonView(payload).forEachMember([&](std::string_view key, JsonView value) {
    if (key == "cache_bypass_reason" && !value.isNull()) answer.bypass = value.string();
    if (key != "components") return true;
    value.forEachItem([&](JsonView item) {
      if (const std::string part = partOfKey(item.string()); !part.empty())
        (answer.key += part) += '\n';
      return true;
    });
    return true;
  });
  return answer;
}

}  // namespace jitscope::analyzer
