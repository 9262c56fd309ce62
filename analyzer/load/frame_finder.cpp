#include "analyzer/load/frame_finder.h"

#include <algorithm>
#include <vector>

namespace jitscope::analyzer {

FrameFinder::FrameFinder(Run& run) : run_(run) {
  std::vector<std::pair<trace::FrameRow, ProcessIndex>> rows;
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const ProcessIndex process = run.processes.indexAt(p);
    for (const trace::FrameRow& row : run.processes[process].rows<trace::FrameRow>()) {
      rows.emplace_back(row, process);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first.frame < b.first.frame; });
  for (const auto& [row, process] : rows) {
    Frame frame{row.frame, row.name, row.file, row.line, row.backend, row.mode};
    frame.isFullgraph = row.fullgraph != 0;
    frame.dynamic = row.dynamic;
    byProcess_.try_emplace({process, row.frame}, add(frame));
  }
}

FrameIndex FrameFinder::find(ProcessIndex process, trace::FrameId id) {
  const auto known = byProcess_.find({process, id});
  if (known != byProcess_.end()) return known->second;
  Frame frame;
  frame.id = id;
  frame.isKnown = false;
  const FrameIndex index = add(frame);
  byProcess_.emplace(std::pair(process, id), index);
  return index;
}

FrameIndex FrameFinder::add(const Frame& frame) {
  const Identity identity{frame.id, frame.name, frame.file, frame.line};
  const auto [entry, isNew] = byIdentity_.try_emplace(identity, FrameIndex::kNone);
  if (isNew) entry->second = run_.frames.add(frame);
  return entry->second;
}

}  // namespace jitscope::analyzer
