#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/counter_row.h"
#include "gui/models/detail.h"
#include "gui/models/event_row.h"
#include "gui/models/steps.h"

namespace jitscope::gui {

/// What a lane shows.
enum class LaneKind { kCompile, kHost, kStream, kCopy, kCounter };

/// What a counter counts: bytes of device memory that were read or written.
enum class CounterKind { kRead, kWrite };

/// A counter of a lane, drawn over the others.
struct LaneCounter {
  QString name;
  CounterRow row;
  CounterKind kind = CounterKind::kRead;
};

/// A thread, a stream, a counter: what stands under one title at the left.
struct Lane {
  LaneKind kind = LaneKind::kHost;
  QString title;
  QString subtitle;
  std::vector<EventRow> rows;         ///< top to bottom
  std::vector<LaneCounter> counters;  ///< only in lanes of kCounter
  double counterTop = 0;              ///< value at the upper edge, per second
};

/// What a mark points out.
enum class MarkKind { kBreak, kRecompile, kGuardFailure };

/// A moment that the panes mark.
struct Mark {
  MarkKind kind = MarkKind::kBreak;
  TimeRange time;
  SourceRow source{};
  QString label;
};

/// Points at one event of a timeline, or at one mark.
struct Pick {
  enum class Kind { kEvent, kMark };
  Kind kind = Kind::kEvent;
  Pane pane = Pane::kCompiled;
  size_t lane = 0;
  size_t row = 0;
  size_t index = 0;  ///< of the event in its row, or of the mark in `Timeline::marks`

  bool operator==(const Pick&) const = default;
};

/// One recording as the window shows it. Made on a worker, then never changed: threads share it as
/// `shared_ptr<const Timeline>`.
struct Timeline {
  QString title;
  QString subtitle;            ///< programs, versions, devices
  QString losses;              ///< "no losses", or what is missing
  std::vector<QString> names;  ///< by NameId
  std::vector<Lane> lanes;
  std::vector<Mark> marks;                      ///< by start
  std::vector<StepTrack> tracks;                ///< the one with the most time first
  TimeRange extent;                             ///< since the epoch
  std::function<Detail(const Pick&)> describe;  ///< safe from any thread; may be empty

  const QString& nameOf(NameId id) const { return names[static_cast<size_t>(id)]; }
};

/// Looking at more events than this would be felt while clicking and stepping.
inline constexpr size_t kMostEventsAtOnce = 200'000;

/// What counts as its work: kernels, and without a GPU operators; none where neither was recorded.
std::optional<RowKind> workOf(const Timeline& timeline);

/// The time that `pick` takes in the recording.
TimeRange timeOf(const Timeline& timeline, const Pick& pick);

/// What `pick` is called: the event's name, or the mark's label.
QString nameOf(const Timeline& timeline, const Pick& pick);

}  // namespace jitscope::gui
