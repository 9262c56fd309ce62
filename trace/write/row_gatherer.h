#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "trace/format/layout.h"
#include "trace/tables.h"

namespace jitscope::trace::write {

/// Rows of one table, turned into columns as they come.
class RowGatherer {
 public:
  /// Few enough that all columns of a chunk stay in the processor's cache until they are packed.
  static constexpr size_t kCapacity = 32'768;
  static_assert(kCapacity <= format::kMaxRows);

  explicit RowGatherer(const TableDescription& table) : table_(&table) {}

  const TableDescription& table() const { return *table_; }
  size_t rows() const { return rows_; }
  bool isFull() const { return rows_ == kCapacity; }
  void clear() { rows_ = 0; }

  /// Takes the memory for its rows, which `add` else does when it is first called.
  void reserve();

  /// Adds one row; cells that are missing are 0, those too many are left out.
  void add(std::span<const int64_t> cells);

  std::span<const int64_t> column(size_t index) const {
    return {cells_.get() + index * kStride, rows_};
  }

 private:
  // Not a power of two apart, or the columns would fall into the same lines of the cache.
  static constexpr size_t kStride = kCapacity + 24;

  const TableDescription* table_;
  size_t rows_ = 0;
  std::unique_ptr<int64_t[]> cells_;
};

}  // namespace jitscope::trace::write
