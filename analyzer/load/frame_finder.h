#pragma once

#include <map>
#include <tuple>
#include <utility>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Tells which frame of the run a frame of a process is, and adds those that no row describes.
class FrameFinder {
 public:
  /// Fills `run.frames` from the frame tables of all processes. `run` must outlive this.
  explicit FrameFinder(Run& run);

  /// The frame that `id` is in `process`.
  FrameIndex find(ProcessIndex process, trace::FrameId id);

 private:
  using Identity = std::tuple<trace::FrameId, trace::StringId, trace::StringId, int64_t>;

  FrameIndex add(const Frame& frame);

  /// The frame that a forked process has from a forebear, whose compiled functions it goes on with;
  /// kNone when there is none.
  FrameIndex inherited(ProcessIndex process, trace::FrameId id) const;

  /// The process that `child` was forked from; kNone when it was not, or when that has no trace.
  ProcessIndex forkedFrom(ProcessIndex child) const;

  Run& run_;
  std::map<Identity, FrameIndex> byIdentity_;
  std::map<std::pair<ProcessIndex, trace::FrameId>, FrameIndex> byProcess_;
};

}  // namespace jitscope::analyzer
