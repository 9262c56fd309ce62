#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace jitscope::trace::read {

/// Memory for the cells of a column, not cleared. To fault in the pages of a large array one by one
/// takes longer than to unpack what goes into them: they come many at once. (Not in huge pages,
/// which are faster still until the kernel has to move memory about to make some.)
class CellArray {
 public:
  CellArray() = default;

  /// Throws std::bad_alloc.
  explicit CellArray(size_t count);

  std::span<int64_t> cells() const { return {cells_.get(), count_}; }

  /// Some of the cells, with the pages for them. To be asked for just before they are filled, while
  /// the cleared pages are in the processor's cache.
  std::span<int64_t> prepared(size_t first, size_t count) const;

 private:
  struct Release {
    size_t mappedBytes;  ///< 0: from new
    void operator()(int64_t* cells) const;
  };

  std::unique_ptr<int64_t[], Release> cells_{nullptr, Release{0}};
  size_t count_ = 0;
};

/// Columns that hold one value only, shared by all tables of a file: about half of a trace's cells.
/// Safe from any number of threads.
class ConstantCells {
 public:
  /// `count` times `value`. Valid as long as this object.
  std::span<const int64_t> of(int64_t value, size_t count);

 private:
  std::mutex mutex_;
  std::unordered_map<int64_t, std::vector<CellArray>> arrays_;  ///< ascending in length
};

}  // namespace jitscope::trace::read
