#include "gui/models/event_row.h"

#include <algorithm>
#include <cmath>

namespace jitscope::gui {
namespace {

constexpr size_t kPrefixEvents = 64;
constexpr double kWhole = 255;  ///< a share of all of a block

/// Adds `filledPx` pixels of `category` to the columns between two positions, spread evenly.
void addToColumns(std::vector<Shares>& columns, double startPx, double endPx, double filledPx,
                  size_t category) {
  const auto width = static_cast<double>(columns.size());
  const double from = std::clamp(startPx, 0.0, width), to = std::clamp(endPx, 0.0, width);
  if (endPx - startPx < 1e-9) {
    if (startPx < 0 || startPx >= width) return;
    columns[static_cast<size_t>(startPx)][category] += static_cast<float>(filledPx);
    return;
  }
  const double density = filledPx / (endPx - startPx);
  for (auto column = static_cast<size_t>(from);
       column < columns.size() && static_cast<double>(column) < to; ++column) {
    const double left = std::max(from, static_cast<double>(column));
    const double right = std::min(to, static_cast<double>(column) + 1);
    columns[column][category] += static_cast<float>(density * (right - left));
  }
}

/// Gives `block` its shares from parts that sum up to `whole`.
template <class Block>
void setShares(Block& block, const std::array<double, kCategoryCount>& parts, double whole) {
  for (size_t c = 0; c < kCategoryCount; ++c) {
    block.share[c] = static_cast<uint8_t>(std::lround(parts[c] / whole));
  }
}

}  // namespace

void RowPicture::reset(int widthPx) {
  columns.assign(static_cast<size_t>(widthPx), Shares{});
  boxes.clear();
}

EventRow::EventRow(RowKind kind, EventColumns events) : kind_(kind), events_(std::move(events)) {
  pyramid_ = Pyramid<Block>(
      events_.size(), [this](size_t begin, size_t end) { return summarized(begin, end); }, joined);
  int64_t busyNs = 0;
  for (size_t i = 0; i < events_.size(); ++i) {
    if (i % kPrefixEvents == 0) busyEvery_.push_back(busyNs);
    busyNs += events_.endNs[i] - events_.startNs[i];
  }
}

EventRow::Block EventRow::summarized(size_t begin, size_t end) const {
  std::array<double, kCategoryCount> byCategory{};
  double total = 0;
  for (size_t i = begin; i < end; ++i) {
    // An event without length still shows: it counts as one nanosecond for the colour.
    const auto shownNs =
        static_cast<double>(std::max<int64_t>(1, events_.endNs[i] - events_.startNs[i]));
    byCategory[static_cast<size_t>(events_.category[i])] += shownNs;
    total += shownNs;
  }
  Block block{events_.startNs[begin], events_.endNs[end - 1], static_cast<float>(total), {}};
  setShares(block, byCategory, total / kWhole);
  return block;
}

EventRow::Block EventRow::joined(std::span<const Block> blocks) {
  Block block{blocks.front().startNs, blocks.back().endNs, 0, {}};
  std::array<double, kCategoryCount> byCategory{};
  for (const Block& part : blocks) {
    block.busyNs += part.busyNs;
    for (size_t c = 0; c < kCategoryCount; ++c) {
      byCategory[c] += static_cast<double>(part.busyNs) * part.share[c];
    }
  }
  setShares(block, byCategory, block.busyNs);
  return block;
}

void EventRow::draw(const TimeAxis& axis, RowPicture& picture) const {
  picture.reset(axis.widthPx());
  using Look = Pyramid<Block>::Look;
  const int64_t endNs = axis.endNs() + 1;
  const auto look = [&](const Block& block, bool isLowest) {
    if (block.endNs < axis.startNs()) return Look::kNext;
    if (block.startNs >= endNs) return Look::kEnd;
    const double startPx = axis.toPixel(block.startNs);
    const double endPx = axis.toPixel(block.endNs);
    // The lowest may be wider than upper ones before they are opened: that costs 16 events.
    if (endPx - startPx >= (isLowest ? kBoxPx : 1.0)) return Look::kOpen;
    const double filledPx = block.busyNs * axis.pixelsPerNs();
    for (size_t c = 0; c < kCategoryCount; ++c) {
      if (block.share[c] == 0) continue;
      addToColumns(picture.columns, startPx, endPx, filledPx * block.share[c] / kWhole, c);
    }
    return Look::kNext;
  };
  pyramid_.walk(look, [&](size_t begin, size_t end) { drawEvents(begin, end, axis, picture); });
}

void EventRow::drawEvents(size_t begin, size_t end, const TimeAxis& axis,
                          RowPicture& picture) const {
  for (size_t i = begin; i < end; ++i) {
    if (events_.endNs[i] < axis.startNs()) continue;
    if (events_.startNs[i] > axis.endNs()) return;
    const double startPx = axis.toPixel(events_.startNs[i]);
    const double endPx = axis.toPixel(events_.endNs[i]);
    if (endPx - startPx >= kBoxPx) {
      picture.boxes.push_back({startPx, endPx, i});
    } else {
      const double filledPx = std::max(endPx - startPx, axis.pixelsPerNs());
      addToColumns(picture.columns, startPx, endPx, filledPx,
                   static_cast<size_t>(events_.category[i]));
    }
  }
}

std::optional<size_t> EventRow::eventAt(int64_t timeNs, int64_t toleranceNs) const {
  const auto after = std::upper_bound(events_.startNs.begin(), events_.startNs.end(), timeNs);
  const auto next = static_cast<size_t>(after - events_.startNs.begin());
  std::optional<size_t> best;
  int64_t bestNs = toleranceNs;
  if (next > 0) {
    const int64_t distanceNs = std::max<int64_t>(0, timeNs - events_.endNs[next - 1]);
    if (distanceNs <= bestNs) best = next - 1, bestNs = distanceNs;
  }
  if (next == events_.size()) return best;
  const int64_t distanceNs = events_.startNs[next] - timeNs;
  if (best ? distanceNs < bestNs : distanceNs <= bestNs) best = next;
  return best;
}

std::pair<size_t, size_t> EventRow::touching(TimeRange range) const {
  const auto& ends = events_.endNs;
  const auto& starts = events_.startNs;
  const auto first = std::upper_bound(ends.begin(), ends.end(), range.startNs) - ends.begin();
  const auto last = std::lower_bound(starts.begin(), starts.end(), range.endNs) - starts.begin();
  return {static_cast<size_t>(first), static_cast<size_t>(std::max(first, last))};
}

RangeSum EventRow::sum(TimeRange range) const {
  const auto [first, last] = touching(range);
  if (first >= last) return {};
  RangeSum result{static_cast<int64_t>(last - first), busyBefore(last) - busyBefore(first)};
  result.busyNs -= std::max<int64_t>(0, range.startNs - events_.startNs[first]);
  result.busyNs -= std::max<int64_t>(0, events_.endNs[last - 1] - range.endNs);
  return result;
}

int64_t EventRow::busyBefore(size_t index) const {
  if (busyEvery_.empty()) return 0;
  const size_t prefix = std::min(index / kPrefixEvents, busyEvery_.size() - 1);
  int64_t busyNs = busyEvery_[prefix];
  for (size_t i = prefix * kPrefixEvents; i < index; ++i) {
    busyNs += events_.endNs[i] - events_.startNs[i];
  }
  return busyNs;
}

}  // namespace jitscope::gui
