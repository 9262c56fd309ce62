#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/sum.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

/// What one name did in one pane's range.
struct NameSum {
  int64_t count = 0;
  analyzer::Sum sumNs;  ///< clipped to the range

  double meanNs() const {
    return count == 0 ? 0 : static_cast<double>(sumNs) / static_cast<double>(count);
  }
};

/// One line of the statistics: a name, in both panes.
struct RangeLine {
  NameId name{};
  RowKind kind = RowKind::kOperator;
  Category category = Category::kHost;  ///< that of the pane with more time
  std::array<NameSum, 2> in{};          ///< by Pane
};

/// Numbers of a range, which may start at another moment in each pane.
struct RangeStatistics {
  /// By Pane, since the epoch; none: nothing to show.
  std::array<std::optional<TimeRange>, 2> range;
  std::optional<RowKind> work;          ///< what the timeline has for work: see `workOf`
  std::array<analyzer::Sum, 2> busyNs;  ///< of kernels, or of outermost operators
  std::array<int64_t, 2> workCount{};   ///< how many of those
  std::vector<RangeLine> lines;         ///< the most time first
};

/// How many events `rangeStatistics` would visit: to decide whether it may run on the GUI thread.
size_t rangeCost(const Timeline& timeline, const RangeStatistics& wanted);

/// Fills in `wanted`, of which only `range` is read. Counts what is not nested in its like:
/// outermost operators, kernels, copies, compilations, and the gaps of breaks; so sums never count
/// a time twice within a kind. Gives up early, with what it has, when `stop` becomes true.
RangeStatistics rangeStatistics(const Timeline& timeline, const RangeStatistics& wanted,
                                const std::atomic<bool>* stop = nullptr);

}  // namespace jitscope::gui
