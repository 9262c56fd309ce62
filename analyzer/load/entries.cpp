#include "analyzer/load/entries.h"

#include <map>
#include <tuple>

namespace jitscope::analyzer {
namespace {

using EntryKey = std::tuple<FrameIndex, ProcessIndex, trace::AttemptId>;

}  // namespace

void buildEntries(Run& run) {
  std::map<EntryKey, Entry> entries;
  const auto entryOf = [&](const auto& row) -> Entry& {
    Entry& entry = entries[{row.frameIndex, row.process, row.attempt}];
    entry.frame = row.frameIndex;
    entry.process = row.process;
    entry.attempt = row.attempt;
    return entry;
  };
  for (size_t i = 0; i < run.compiles.size(); ++i) {
    const CompileIndex index = run.compiles.indexAt(i);
    const Compile& compile = run.compiles[index];
    if (run.text(compile.failure).empty()) entryOf(compile).compile = index;
  }
  for (const Call& call : run.calls) {
    if (call.outcome == trace::CallOutcome::kHit) ++entryOf(call).hitCount;
  }
  for (const Region& region : run.regions) {
    Entry& entry = entryOf(region);
    ++entry.regionCount;
    entry.regionNs += region.endNs - region.startNs;
  }
  for (const auto& [key, entry] : entries) run.entries.add(entry);
}

}  // namespace jitscope::analyzer
