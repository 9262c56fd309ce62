#include "gui/models/counter_row.h"

#include <algorithm>

namespace jitscope::gui {
namespace {

double amountOf(const CounterSample& sample) {
  return sample.perSecond * static_cast<double>(sample.time.lengthNs()) * 1e-9;
}

/// Adds a constant rate between two positions; a column's mean is weighted by the part it covers.
void addRate(std::vector<CounterColumn>& columns, double startPx, double endPx, double rate,
             double peak) {
  const auto width = static_cast<double>(columns.size());
  const double from = std::clamp(startPx, 0.0, width), to = std::clamp(endPx, 0.0, width);
  for (auto i = static_cast<size_t>(from); i < columns.size() && static_cast<double>(i) < to; ++i) {
    const double left = std::max(from, static_cast<double>(i));
    const double right = std::min(to, static_cast<double>(i) + 1);
    columns[i].mean += rate * (right - left);
    columns[i].peak = std::max(columns[i].peak, peak);
  }
}

}  // namespace

CounterRow::CounterRow(std::vector<CounterSample> samples) : samples_(std::move(samples)) {
  pyramid_ = Pyramid<Block>(
      samples_.size(), [this](size_t begin, size_t end) { return summarized(begin, end); }, joined);
  for (const CounterSample& sample : samples_) peak_ = std::max(peak_, sample.perSecond);
}

CounterRow::Block CounterRow::summarized(size_t begin, size_t end) const {
  Block block{{samples_[begin].time.startNs, samples_[end - 1].time.endNs}, 0, 0};
  for (size_t i = begin; i < end; ++i) {
    block.amount += amountOf(samples_[i]);
    block.peak = std::max(block.peak, samples_[i].perSecond);
  }
  return block;
}

CounterRow::Block CounterRow::joined(std::span<const Block> blocks) {
  Block block{{blocks.front().time.startNs, blocks.back().time.endNs}, 0, 0};
  for (const Block& part : blocks) {
    block.amount += part.amount;
    block.peak = std::max(block.peak, part.peak);
  }
  return block;
}

std::vector<CounterColumn> CounterRow::columns(const TimeAxis& axis) const {
  std::vector<CounterColumn> columns(static_cast<size_t>(axis.widthPx()));
  using Look = Pyramid<Block>::Look;
  const auto look = [&](const Block& block, bool) {
    if (block.time.endNs <= axis.startNs()) return Look::kNext;
    if (block.time.startNs > axis.endNs()) return Look::kEnd;
    const double startPx = axis.toPixel(block.time.startNs);
    const double endPx = axis.toPixel(block.time.endNs);
    if (endPx - startPx >= 1) return Look::kOpen;
    const double seconds = std::max(1e-9, static_cast<double>(block.time.lengthNs()) * 1e-9);
    addRate(columns, startPx, endPx, block.amount / seconds, block.peak);
    return Look::kNext;
  };
  pyramid_.walk(look, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const CounterSample& sample = samples_[i];
      addRate(columns, axis.toPixel(sample.time.startNs), axis.toPixel(sample.time.endNs),
              sample.perSecond, sample.perSecond);
    }
  });
  return columns;
}

double CounterRow::mean(TimeRange range) const {
  if (range.lengthNs() <= 0) return 0;
  auto first = std::upper_bound(
      samples_.begin(), samples_.end(), range.startNs,
      [](int64_t timeNs, const CounterSample& sample) { return timeNs < sample.time.endNs; });
  double amount = 0;
  for (; first != samples_.end() && first->time.startNs < range.endNs; ++first) {
    const int64_t insideNs =
        std::min(range.endNs, first->time.endNs) - std::max(range.startNs, first->time.startNs);
    amount += first->perSecond * static_cast<double>(insideNs);
  }
  return amount / static_cast<double>(range.lengthNs());
}

}  // namespace jitscope::gui
