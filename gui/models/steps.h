#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// The two panes of the timelines.
enum class Pane { kEager = 0, kCompiled = 1 };
inline constexpr Pane kPanes[] = {Pane::kEager, Pane::kCompiled};
constexpr Pane otherThan(Pane pane) {
  return pane == Pane::kEager ? Pane::kCompiled : Pane::kEager;
}

/// One call of a frame, as far as the alignment needs it.
struct StepCall {
  TimeRange time;
  bool ranEagerly = false;  ///< forced eager or over the recompile limit
  bool compiled = false;    ///< this call compiled an entry
  int32_t breakCount = 0;   ///< graph breaks that it passed
};

/// What stands in the panes at one step.
struct Step {
  std::optional<TimeRange> eager;
  std::optional<TimeRange> compiled;

  std::optional<TimeRange> in(Pane pane) const { return pane == Pane::kEager ? eager : compiled; }
};

/// The calls of one frame, dealt into steps.
struct StepTrack {
  QString frame;  ///< name of the frame
  std::vector<Step> steps;
  size_t eagerCount = 0;
  size_t compiledCount = 0;
  size_t typical = 0;  ///< the step to show first
  QString eagerNote;   ///< why a pane does not show what its name promises; empty when it does
  QString compiledNote;

  /// What stands in the eager pane: "eager", or what stands there for want of it.
  QString eagerName() const { return eagerNote.isEmpty() ? "eager" : "first call"; }
};

/// Puts the n-th eager call of a frame above its n-th compiled call. `calls` stand in time order.
/// Without eager calls the first call stands above all others: where it compiled, it ran eagerly
/// while it was captured. Where one kind has fewer calls its last one stays. The typical step is
/// the one of median compiled length among those that passed the most breaks without compiling.
StepTrack alignSteps(const QString& frame, const std::vector<StepCall>& calls);

/// The step whose part in `pane` holds `timeNs` (since the epoch), else the nearest one; 0 without
/// any.
size_t stepAt(const StepTrack& track, Pane pane, int64_t timeNs);

}  // namespace jitscope::gui
