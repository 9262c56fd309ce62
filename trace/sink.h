#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "trace/schema.h"

namespace jitscope::trace {

/// The one interface through which every producer speaks: rows of the tables in schema.h.
///
/// A row travels as its cells, 64 bits each, in the order of its table's columns: integers and ids
/// as they are, reals by their bits, text by the StringId that `intern` gave. Both calls are safe
/// from any thread, never throw, never block on a disk, and never call back into the producer. What
/// cannot be kept (no memory, disk full) is counted in the trace's loss table.
class EventSink {
 public:
  virtual ~EventSink() = default;

  /// Gives the id of `text` in this sink, the same id for equal text. The text is copied.
  virtual StringId intern(std::string_view text) noexcept = 0;

  /// Appends one row to `table`. Cells beyond the table's columns are dropped, missing ones are 0.
  virtual void write(TableId table, std::span<const int64_t> cells) noexcept = 0;
};

/// Turns one field of a row into its cell.
template <class Field>
int64_t toCell(Field field) {
  if constexpr (std::is_same_v<Field, double>) {
    return std::bit_cast<int64_t>(field);
  } else {
    return static_cast<int64_t>(field);
  }
}

/// Turns a cell back into a field of type `Field`.
template <class Field>
Field fromCell(int64_t cell) {
  if constexpr (std::is_same_v<Field, double>) {
    return std::bit_cast<double>(cell);
  } else {
    return static_cast<Field>(cell);
  }
}

/// Writes a typed row, e.g. `emit(sink, CallRow{.frame = f, .startNs = t0, .endNs = t1})`.
template <class Row>
void emit(EventSink& sink, const Row& row) noexcept {
  std::array<int64_t, columnCount<Row>()> cells{};
  size_t next = 0;
  Row::columns([&](const char*, auto member) { cells[next++] = toCell(row.*member); });
  sink.write(Row::kTable, cells);
}

}  // namespace jitscope::trace
