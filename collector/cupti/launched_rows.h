#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collector/cupti_tracer.h"
#include "trace/row_time.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Writes the rows of work on a device. Where only windows are recorded, such work counts by the
/// call that launched it and not by when it ran, so a row waits until that call is known: the two
/// come in any order. Bounded: a row whose call does not come within some rounds, or that is one
/// too many to wait, counts by its own time. For one thread.
class LaunchedRows {
 public:
  /// How many rows may wait, and for how many rounds.
  static constexpr size_t kMostHeld = 65'536;
  static constexpr int kPatienceRounds = 5;
  /// How many calls are remembered: the latest, by correlation.
  static constexpr size_t kCalls = size_t{1} << 17;

  /// `sink` must outlive this.
  LaunchedRows(trace::EventSink& sink, const CuptiWishes& wishes) : sink_(sink), wishes_(wishes) {}

  /// A call launched, at that time, what has its correlation.
  void addCall(trace::CorrelationId correlation, const trace::RowTime& time) noexcept;

  /// Writes the row of what was launched, at once or later.
  template <class Row>
  void write(const Row& row) {
    static_assert(trace::columnCount<Row>() <= kMostCells);
    OneRow cells(*this, row.correlation);
    trace::emit(cells, row);
  }

  /// What came until now has been added. `isLast`: nothing more will.
  void endRound(bool isLast);

 private:
  /// As many cells as a row of a device's work may have.
  static constexpr size_t kMostCells = 16;
  struct Call {
    trace::CorrelationId correlation = trace::CorrelationId::kNone;
    trace::RowTime time;
  };
  struct Held {
    trace::TableId table{};
    uint32_t count = 0;  ///< of cells
    trace::CorrelationId correlation{};
    int64_t round = 0;  ///< in which it came
    std::array<int64_t, kMostCells> cells{};
  };

  /// Makes cells of a row.
  class OneRow final : public trace::EventSink {
   public:
    OneRow(LaunchedRows& rows, trace::CorrelationId correlation)
        : rows_(rows), correlation_(correlation) {}
    trace::StringId intern(std::string_view) noexcept override { return {}; }
    void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
      rows_.writeCells(table, correlation_, cells);
    }

   private:
    LaunchedRows& rows_;
    const trace::CorrelationId correlation_;
  };

  void writeCells(trace::TableId table, trace::CorrelationId correlation,
                  std::span<const int64_t> cells) noexcept;
  const trace::RowTime* callOf(trace::CorrelationId correlation) const;
  bool hold(trace::TableId table, trace::CorrelationId correlation,
            std::span<const int64_t> cells) noexcept;
  void settle(bool isLast) noexcept;

  trace::EventSink& sink_;
  const CuptiWishes wishes_;
  std::vector<Call> calls_;  ///< by the last bits of the correlation
  std::vector<Held> held_;
  size_t settleAt_ = 0;  ///< how many may be held until it is worth a look again
  int64_t round_ = 0;
};

}  // namespace jitscope::collector
