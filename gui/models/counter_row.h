#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gui/models/event_columns.h"
#include "gui/models/pyramid.h"
#include "gui/models/time_axis.h"

namespace jitscope::gui {

/// A counter's value over one interval, as a rate: what it counted per second.
struct CounterSample {
  TimeRange time;
  double perSecond = 0;
};

/// What a counter did under one pixel.
struct CounterColumn {
  double mean = 0;  ///< over the pixel's whole time; where nothing was sampled counts as 0
  double peak = 0;
};

/// A sampled counter with a pyramid of summaries above it. Immutable: any thread may read.
class CounterRow {
 public:
  /// Samples stand by start and do not overlap.
  explicit CounterRow(std::vector<CounterSample> samples);

  const std::vector<CounterSample>& samples() const { return samples_; }
  double peak() const { return peak_; }

  /// One column per pixel of `axis`.
  std::vector<CounterColumn> columns(const TimeAxis& axis) const;

  /// The mean over `range`.
  double mean(TimeRange range) const;

 private:
  struct Block {
    TimeRange time;
    double amount = 0;  ///< rate times seconds
    double peak = 0;
  };

  Block summarized(size_t begin, size_t end) const;
  static Block joined(std::span<const Block> blocks);

  std::vector<CounterSample> samples_;
  Pyramid<Block> pyramid_;
  double peak_ = 0;
};

}  // namespace jitscope::gui
