#include "analyzer/diagnoses/cache_records.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace jitscope::analyzer {
namespace {

using Parts = std::set<std::pair<std::string, std::string>>;

/// The lines `name hash` of a key. Several parts can have one name.
Parts partsOf(std::string_view key) {
  Parts parts;
  while (!key.empty()) {
    const size_t end = key.find('\n');
    const std::string_view line = key.substr(0, end);
    const size_t hash = line.rfind(' ');
    if (hash != std::string_view::npos)
      parts.emplace(std::string(line.substr(0, hash)), std::string(line.substr(hash + 1)));
    if (end == std::string_view::npos) break;
    key.remove_prefix(end + 1);
  }
  return parts;
}

void addDifference(const Parts& one, const Parts& other, std::set<std::string>& names) {
  std::vector<Parts::value_type> differing;
  std::set_symmetric_difference(one.begin(), one.end(), other.begin(), other.end(),
                                std::back_inserter(differing));
  for (const auto& [name, hash] : differing) names.insert(name);
}

}  // namespace

CacheRecords::CacheRecords(const Run& run) {
  for (const Artifact& row : run.artifacts) {
    const std::string_view kind = run.text(row.kind);
    const Key key{row.process, row.frame, row.attempt};
    if (kind == "cache_bypass") bypasses_.try_emplace(key, run.text(row.content));
    if (kind == "cache_key")
      keys_[{row.frame, row.attempt, run.text(row.name)}].try_emplace(row.process,
                                                                      run.text(row.content));
    if (kind != "compile_phase") continue;
    const std::string_view number = run.text(row.content);
    int64_t durationNs = 0;
    std::from_chars(number.data(), number.data() + number.size(), durationNs);
    phases_[{key, run.text(row.name)}] = std::max<int64_t>(0, durationNs);
  }
}

std::string_view CacheRecords::bypassOf(const Compile& compile) const {
  const auto known = bypasses_.find({compile.process, compile.frame, compile.attempt});
  return known == bypasses_.end() ? std::string_view() : known->second;
}

int64_t CacheRecords::phaseNs(const Compile& compile, std::string_view phase) const {
  const auto known = phases_.find({{compile.process, compile.frame, compile.attempt}, phase});
  return known == phases_.end() ? 0 : known->second;
}

std::vector<std::string> CacheRecords::differingParts() const {
  std::set<std::string> names;
  for (const auto& [graph, byProcess] : keys_) {
    if (byProcess.size() < 2) continue;
    const Parts first = partsOf(byProcess.begin()->second);
    for (auto other = std::next(byProcess.begin()); other != byProcess.end(); ++other) {
      if (other->second != byProcess.begin()->second)
        addDifference(first, partsOf(other->second), names);
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace jitscope::analyzer
