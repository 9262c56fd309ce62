#include "gui/models/event_row.h"

#include <algorithm>
#include <cmath>

namespace jitscope::gui {
namespace {

constexpr size_t kLeafEvents = 16;
constexpr size_t kFanOut = 4;
constexpr size_t kPrefixEvents = 64;

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

}  // namespace

void RowPicture::reset(int widthPx) {
  columns.assign(static_cast<size_t>(widthPx), Shares{});
  boxes.clear();
}

struct EventRow::Visit {
  const TimeAxis& axis;
  RowPicture& picture;
  int64_t endNs;
};

EventRow::EventRow(RowKind kind, EventColumns events) : kind_(kind), events_(std::move(events)) {
  buildPyramid();
}

void EventRow::buildPyramid() {
  const size_t count = events_.size();
  std::vector<Block> leaves;
  leaves.reserve(count / kLeafEvents + 1);
  busyEvery_.reserve(count / kPrefixEvents + 1);
  int64_t busyNs = 0;
  for (size_t begin = 0; begin < count; begin += kLeafEvents) {
    const size_t end = std::min(count, begin + kLeafEvents);
    std::array<double, kCategoryCount> byCategory{};
    for (size_t i = begin; i < end; ++i) {
      if (i % kPrefixEvents == 0) busyEvery_.push_back(busyNs);
      const int64_t durationNs = events_.endNs[i] - events_.startNs[i];
      busyNs += durationNs;
      // An event without length still shows: it counts as one nanosecond for the colour.
      byCategory[static_cast<size_t>(events_.category[i])] +=
          static_cast<double>(std::max<int64_t>(1, durationNs));
    }
    Block block{events_.startNs[begin], events_.endNs[end - 1], 0, {}};
    double total = 0;
    for (const double part : byCategory) total += part;
    block.busyNs = static_cast<float>(total);
    for (size_t c = 0; c < kCategoryCount; ++c) {
      block.share[c] = static_cast<uint8_t>(std::lround(byCategory[c] / total * 255));
    }
    leaves.push_back(block);
  }
  levels_.push_back(std::move(leaves));
  while (levels_.back().size() > kFanOut) {
    const std::vector<Block>& below = levels_.back();
    std::vector<Block> level;
    level.reserve(below.size() / kFanOut + 1);
    for (size_t begin = 0; begin < below.size(); begin += kFanOut) {
      const size_t end = std::min(below.size(), begin + kFanOut);
      Block block{below[begin].startNs, below[end - 1].endNs, 0, {}};
      std::array<double, kCategoryCount> byCategory{};
      for (size_t i = begin; i < end; ++i) {
        block.busyNs += below[i].busyNs;
        for (size_t c = 0; c < kCategoryCount; ++c) {
          byCategory[c] += static_cast<double>(below[i].busyNs) * below[i].share[c];
        }
      }
      for (size_t c = 0; c < kCategoryCount; ++c) {
        block.share[c] = static_cast<uint8_t>(std::lround(byCategory[c] / block.busyNs));
      }
      level.push_back(block);
    }
    levels_.push_back(std::move(level));
  }
}

void EventRow::draw(const TimeAxis& axis, RowPicture& picture) const {
  picture.reset(axis.widthPx());
  if (events_.size() == 0) return;
  Visit visit{axis, picture, axis.endNs() + 1};
  const size_t top = levels_.size() - 1;
  drawBlocks(top, 0, levels_[top].size(), visit);
}

void EventRow::drawBlocks(size_t level, size_t begin, size_t end, Visit& visit) const {
  const std::vector<Block>& blocks = levels_[level];
  for (size_t i = begin; i < end; ++i) {
    const Block& block = blocks[i];
    if (block.endNs < visit.axis.startNs()) continue;
    if (block.startNs >= visit.endNs) return;
    const double startPx = visit.axis.toPixel(block.startNs);
    const double endPx = visit.axis.toPixel(block.endNs);
    // Leaves may be wider than upper blocks before they are opened: opening one costs 16 events.
    if (endPx - startPx < (level > 0 ? 1.0 : kBoxPx)) {
      const double filledPx = block.busyNs * visit.axis.pixelsPerNs();
      for (size_t c = 0; c < kCategoryCount; ++c) {
        if (block.share[c] == 0) continue;
        addToColumns(visit.picture.columns, startPx, endPx, filledPx * block.share[c] / 255.0, c);
      }
    } else if (level > 0) {
      drawBlocks(level - 1, i * kFanOut, std::min(levels_[level - 1].size(), (i + 1) * kFanOut),
                 visit);
    } else {
      drawEvents(i * kLeafEvents, std::min(events_.size(), (i + 1) * kLeafEvents), visit);
    }
  }
}

void EventRow::drawEvents(size_t begin, size_t end, Visit& visit) const {
  for (size_t i = begin; i < end; ++i) {
    if (events_.endNs[i] < visit.axis.startNs()) continue;
    if (events_.startNs[i] >= visit.endNs) return;
    const double startPx = visit.axis.toPixel(events_.startNs[i]);
    const double endPx = visit.axis.toPixel(events_.endNs[i]);
    if (endPx - startPx >= kBoxPx) {
      visit.picture.boxes.push_back({startPx, endPx, i});
    } else {
      const double filledPx = std::max(endPx - startPx, visit.axis.pixelsPerNs());
      addToColumns(visit.picture.columns, startPx, endPx, filledPx,
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
