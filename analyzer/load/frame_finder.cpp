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
  FrameIndex index = inherited(process, id);
  if (!exists(index)) {
    Frame frame;
    frame.id = id;
    frame.isKnown = false;
    index = add(frame);
  }
  byProcess_.emplace(std::pair(process, id), index);
  return index;
}

FrameIndex FrameFinder::inherited(ProcessIndex process, trace::FrameId id) const {
  // No further than there are processes: damaged rows may make a circle.
  for (size_t steps = 0; steps < run_.processes.size() && exists(process); ++steps) {
    process = forkedFrom(process);
    const auto known = byProcess_.find({process, id});
    if (known != byProcess_.end() && run_.frames[known->second].isKnown) return known->second;
  }
  return FrameIndex::kNone;
}

ProcessIndex FrameFinder::forkedFrom(ProcessIndex child) const {
  const trace::ProcessRow& row = run_.processes[child].row;
  for (size_t p = 0; p < run_.processes.size(); ++p) {
    const ProcessIndex index = run_.processes.indexAt(p);
    const trace::ProcessRow& other = run_.processes[index].row;
    // One that was spawned has another command line.
    const bool isParent = row.parentPid != 0 && other.pid == row.parentPid &&
                          other.hostName == row.hostName && other.startNs <= row.startNs;
    if (isParent && index != child && other.commandLine == row.commandLine) return index;
  }
  return ProcessIndex::kNone;
}

FrameIndex FrameFinder::add(const Frame& frame) {
  const Identity identity{frame.id, frame.name, frame.file, frame.line};
  const auto [entry, isNew] = byIdentity_.try_emplace(identity, FrameIndex::kNone);
  if (isNew) entry->second = run_.frames.add(frame);
  return entry->second;
}

}  // namespace jitscope::analyzer
