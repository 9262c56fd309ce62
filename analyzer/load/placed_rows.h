#pragma once

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <vector>

#include "analyzer/load/frame_finder.h"
#include "analyzer/load/loss_ledger.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

template <class Row>
concept HasSpan = requires(Row row) {
  row.startNs;
  row.endNs;
};

template <class Row>
concept HasTime = requires(Row row) {
  row.timeNs;
};

/// Whether the times of a row are believed.
template <class Row>
bool hasValidTime(const Row& row) {
  if constexpr (HasSpan<Row>)
    return isValidSpan(row.startNs, row.endNs);
  else if constexpr (HasTime<Row>)
    return isValidTime(row.timeNs);
  else
    return true;
}

/// Orders rows by time; of two that start together the longer comes first, so that a parent stands
/// before its children. Rows without a time keep their order.
template <class Row>
bool isEarlier(const Row& a, const Row& b) {
  if constexpr (HasSpan<Row>)
    return std::tuple(a.startNs, -a.endNs) < std::tuple(b.startNs, -b.endNs);
  else if constexpr (HasTime<Row>)
    return a.timeNs < b.timeNs;
  else
    return false;
}

/// The frame of a row. Only artifacts may belong to none.
template <class Row>
FrameIndex frameOf(FrameFinder& frames, ProcessIndex process, const Row& row) {
  if constexpr (std::is_same_v<Row, trace::ArtifactRow>) {
    if (row.frame == trace::FrameId::kNone) return FrameIndex::kNone;
  }
  return frames.find(process, row.frame);
}

/// The rows of one table of all processes, in time order. `Target` derives from Placed<Row>.
template <class Row, class Target>
std::vector<Target> placeRows(const Run& run, FrameFinder& frames, LossLedger& losses) {
  std::vector<Target> result;
  for (size_t p = 0; p < run.processes.size(); ++p) {
    const ProcessIndex process = run.processes.indexAt(p);
    for (const Row& row : run.processes[process].template rows<Row>()) {
      if (!hasValidTime(row)) {
        losses.addOutOfRange(run.processes[process], Row::kName);
        continue;
      }
      Target& target = result.emplace_back();
      static_cast<Row&>(target) = row;
      target.process = process;
      target.frameIndex = frameOf(frames, process, row);
    }
  }
  std::stable_sort(result.begin(), result.end(), isEarlier<Target>);
  return result;
}

}  // namespace jitscope::analyzer
