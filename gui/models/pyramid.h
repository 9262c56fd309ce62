#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace jitscope::gui {

/// Summaries of things that stand in a row, level above level, so that drawing costs by pixels and
/// not by things: 16 things make a block of the lowest level, 4 blocks one of the next.
template <class Block>
class Pyramid {
 public:
  /// What to do about a block on the way down.
  enum class Look {
    kNext,  ///< done with it
    kOpen,  ///< look at what it summarises
    kEnd,   ///< nothing further right is of interest
  };

  Pyramid() = default;

  /// Builds the levels above `count` things. `summarize(begin, end)` makes a block of things,
  /// called from left to right; `join(blocks)` makes one of blocks.
  template <class Summarize, class Join>
  Pyramid(size_t count, Summarize summarize, Join join) : count_(count) {
    std::vector<Block>& lowest = levels_.emplace_back();
    lowest.reserve(count / kThings + 1);
    for (size_t begin = 0; begin < count; begin += kThings) {
      lowest.push_back(summarize(begin, std::min(count, begin + kThings)));
    }
    while (levels_.back().size() > kFanOut) {
      const std::span<const Block> below = levels_.back();
      std::vector<Block> level;
      level.reserve(below.size() / kFanOut + 1);
      for (size_t begin = 0; begin < below.size(); begin += kFanOut) {
        level.push_back(join(below.subspan(begin, std::min(kFanOut, below.size() - begin))));
      }
      levels_.push_back(std::move(level));
    }
  }

  /// Walks from the top down and from left to right. `look(block, isLowest)` gives a Look;
  /// `visit(begin, end)` gets the things of each block of the lowest level that is opened.
  template <class LookAt, class Visit>
  void walk(LookAt look, Visit visit) const {
    if (!levels_.empty()) walk(levels_.size() - 1, 0, levels_.back().size(), look, visit);
  }

 private:
  static constexpr size_t kThings = 16;
  static constexpr size_t kFanOut = 4;

  template <class LookAt, class Visit>
  void walk(size_t level, size_t begin, size_t end, LookAt& look, Visit& visit) const {
    for (size_t i = begin; i < end; ++i) {
      const Look next = look(levels_[level][i], level == 0);
      if (next == Look::kEnd) return;
      if (next == Look::kNext) continue;
      if (level == 0) {
        visit(i * kThings, std::min(count_, (i + 1) * kThings));
      } else {
        const size_t first = i * kFanOut;
        walk(level - 1, first, std::min(levels_[level - 1].size(), first + kFanOut), look, visit);
      }
    }
  }

  size_t count_ = 0;
  std::vector<std::vector<Block>> levels_;  ///< the lowest first
};

}  // namespace jitscope::gui
