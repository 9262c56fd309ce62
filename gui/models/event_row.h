#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gui/models/event_columns.h"
#include "gui/models/pyramid.h"
#include "gui/models/time_axis.h"

namespace jitscope::gui {

/// What the events of a row are.
enum class RowKind { kCompile, kCall, kRegion, kOperator, kApi, kKernel, kCopy };

/// An event that is wide enough to be drawn by itself.
struct EventBox {
  double startPx = 0;
  double endPx = 0;
  size_t index = 0;
};

/// What a row looks like through an axis: boxes, and for everything too narrow the part of each
/// pixel column that each category fills. Reuse one between rows to save allocations.
struct RowPicture {
  std::vector<Shares> columns;
  std::vector<EventBox> boxes;

  void reset(int widthPx);
};

/// How much happened in a range of time.
struct RangeSum {
  int64_t count = 0;   ///< events that touch the range
  int64_t busyNs = 0;  ///< their time inside the range
};

/// One line of a lane: events that never overlap, and a pyramid of summaries above them. Never
/// changes after it was made: any thread may read.
class EventRow {
 public:
  /// An event this wide is drawn by itself; a block of events narrower than this is drawn as
  /// columns.
  static constexpr double kBoxPx = 3;

  /// Builds the pyramid. `events` stand by start and do not overlap (`spreadRows`).
  EventRow(RowKind kind, EventColumns events);

  RowKind kind() const { return kind_; }
  const EventColumns& events() const { return events_; }

  /// Draws into `picture`, which is reset first.
  void draw(const TimeAxis& axis, RowPicture& picture) const;

  /// The event at `timeNs`, or the nearest one not more than `toleranceNs` away.
  std::optional<size_t> eventAt(int64_t timeNs, int64_t toleranceNs) const;

  /// Positions of the first event that ends after `range` starts, and of the first that starts at
  /// or after its end.
  std::pair<size_t, size_t> touching(TimeRange range) const;

  /// Exact, without visiting the events in between.
  RangeSum sum(TimeRange range) const;

 private:
  struct Block {
    int64_t startNs = 0;
    int64_t endNs = 0;
    float busyNs = 0;
    std::array<uint8_t, kCategoryCount> share{};  ///< of busyNs, in 255ths
  };

  Block summarized(size_t begin, size_t end) const;
  static Block joined(std::span<const Block> blocks);
  void drawEvents(size_t begin, size_t end, const TimeAxis& axis, RowPicture& picture) const;
  int64_t busyBefore(size_t index) const;

  RowKind kind_;
  EventColumns events_;
  Pyramid<Block> pyramid_;
  std::vector<int64_t> busyEvery_;  ///< busy time before each 64th event
};

}  // namespace jitscope::gui
