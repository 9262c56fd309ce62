#include "gui/models/counter_row.h"

#include <algorithm>

namespace jitscope::gui {
namespace {

constexpr size_t kLeafSamples = 16;
constexpr size_t kFanOut = 4;

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
  std::vector<Block> level;
  for (size_t begin = 0; begin < samples_.size(); begin += kLeafSamples) {
    const size_t end = std::min(samples_.size(), begin + kLeafSamples);
    Block block{{samples_[begin].time.startNs, samples_[end - 1].time.endNs}, 0, 0};
    for (size_t i = begin; i < end; ++i) {
      block.amount += amountOf(samples_[i]);
      block.peak = std::max(block.peak, samples_[i].perSecond);
    }
    peak_ = std::max(peak_, block.peak);
    level.push_back(block);
  }
  levels_.push_back(std::move(level));
  while (levels_.back().size() > kFanOut) {
    const std::vector<Block>& below = levels_.back();
    std::vector<Block> upper;
    for (size_t begin = 0; begin < below.size(); begin += kFanOut) {
      const size_t end = std::min(below.size(), begin + kFanOut);
      Block block{{below[begin].time.startNs, below[end - 1].time.endNs}, 0, 0};
      for (size_t i = begin; i < end; ++i) {
        block.amount += below[i].amount;
        block.peak = std::max(block.peak, below[i].peak);
      }
      upper.push_back(block);
    }
    levels_.push_back(std::move(upper));
  }
}

std::vector<CounterColumn> CounterRow::columns(const TimeAxis& axis) const {
  std::vector<CounterColumn> result(static_cast<size_t>(axis.widthPx()));
  const size_t top = levels_.size() - 1;
  addBlocks(top, 0, levels_[top].size(), axis, result);
  return result;
}

void CounterRow::addBlocks(size_t level, size_t begin, size_t end, const TimeAxis& axis,
                           std::vector<CounterColumn>& columns) const {
  for (size_t i = begin; i < end; ++i) {
    const Block& block = levels_[level][i];
    if (block.time.endNs <= axis.startNs()) continue;
    if (block.time.startNs > axis.endNs()) return;
    const double startPx = axis.toPixel(block.time.startNs);
    const double endPx = axis.toPixel(block.time.endNs);
    if (endPx - startPx < 1) {
      const double seconds = std::max(1e-9, static_cast<double>(block.time.lengthNs()) * 1e-9);
      addRate(columns, startPx, endPx, block.amount / seconds, block.peak);
    } else if (level > 0) {
      addBlocks(level - 1, i * kFanOut, std::min(levels_[level - 1].size(), (i + 1) * kFanOut),
                axis, columns);
    } else {
      const size_t last = std::min(samples_.size(), (i + 1) * kLeafSamples);
      for (size_t s = i * kLeafSamples; s < last; ++s) {
        addRate(columns, axis.toPixel(samples_[s].time.startNs),
                axis.toPixel(samples_[s].time.endNs), samples_[s].perSecond, samples_[s].perSecond);
      }
    }
  }
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
