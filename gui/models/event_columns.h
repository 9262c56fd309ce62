#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jitscope::gui {

/// What an event's colour says: how the work came to be. The number is the position in `Shares`.
enum class Category : uint8_t {
  kEager = 0,     ///< ran operator by operator
  kCompiled,      ///< ran in a compiled region
  kReplay,        ///< ran by replay of a CUDA graph
  kLibrary,       ///< a library's kernel or operator (matrix product, convolution, attention)
  kBreak,         ///< the host between two segments
  kRecompile,     ///< a guard failure or the compilation that followed it
  kCompilePhase,  ///< compiling
  kHost,          ///< the host without an origin: API calls, copies, waits
};
inline constexpr size_t kCategoryCount = 8;

/// Something per category, e.g. the part of a pixel that each fills.
using Shares = std::array<float, kCategoryCount>;

/// Position of a name in `Timeline::names`.
enum class NameId : uint32_t {};
/// Position of a row in the table of the run that an event came from.
enum class SourceRow : uint32_t {};

/// A span of time, in nanoseconds; `endNs` is not part of it.
struct TimeRange {
  int64_t startNs = 0;
  int64_t endNs = 0;

  int64_t lengthNs() const { return endNs - startNs; }
  bool contains(int64_t timeNs) const { return timeNs >= startNs && timeNs < endNs; }
  bool operator==(const TimeRange&) const = default;
};

/// One event on its way into columns.
struct Event {
  TimeRange time;
  NameId name{};
  SourceRow source{};
  Category category = Category::kHost;
};

/// Events as columns, 25 bytes each: many millions fit where a vector of rows would not.
struct EventColumns {
  std::vector<int64_t> startNs;
  std::vector<int64_t> endNs;
  std::vector<NameId> name;
  std::vector<SourceRow> source;
  std::vector<Category> category;

  size_t size() const { return startNs.size(); }
  /// Appends one event at the end.
  void append(const Event& event);
  /// Gives event `index` back; `index` must be less than `size()`.
  Event at(size_t index) const;
};

/// Deals `events` (any order) into rows in which they stand by start and never overlap: an event
/// goes into the first row that is free at its start. A nested event so lands below the one around
/// it. Times that run backwards are read as zero length.
std::vector<EventColumns> spreadRows(std::vector<Event> events);

}  // namespace jitscope::gui
