#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/run.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

/// Calls of one frame that were served the same way.
struct CallTimes {
  int64_t count = 0;
  Sum totalNs;
  int64_t medianNs = 0;
  int64_t opCount = 0;  ///< outermost operators in all of them
  Sum opNs;
  /// The call of median duration, to show beside its counterpart.
  CallIndex typical = CallIndex::kNone;

  int64_t meanNs() const { return count == 0 ? 0 : totalNs / count; }
  double opsPerCall() const;
};

/// What happened to one compiled callable.
struct FrameSummary {
  FrameIndex frame = FrameIndex::kNone;
  int64_t callCount = 0;
  int64_t compileCount = 0;    ///< compilations, failed ones too
  int64_t recompileCount = 0;  ///< those with attempt >= 1
  Sum compileNs;               ///< Compile::costNs of all
  int64_t breakCount = 0;      ///< different graph breaks
  Sum breakNs;                 ///< time between segments, over all later passes
  Sum guardNs;
  int64_t failedCount = 0;  ///< calls that threw
  int64_t limitCount = 0;   ///< those of `eager` that ran so because of the recompile limit
  CallTimes compiled;       ///< calls that an entry served (hits)
  CallTimes compiling;      ///< calls that compiled
  CallTimes eager;          ///< calls that ran eagerly: stance, disable, limit

  /// How many times faster a compiled call is than an eager one, by the medians; none when the run
  /// does not have both.
  std::optional<double> speedup() const;
};

/// Whether a call tells how fast eager is. A nested call that runs eagerly because the call around
/// it is being captured does not: it carries that capture's cost. Nor does one whose end was not
/// seen.
bool isPlainEager(const Run& run, const Call& call);

/// One summary for each frame, in the order of Run::frames.
std::vector<FrameSummary> summarizeFrames(const Run& run);

}  // namespace jitscope::analyzer
