#include "trace/write/row_gatherer.h"

#include <algorithm>

namespace jitscope::trace::write {

void RowGatherer::reserve() {
  if (cells_ != nullptr) return;
  cells_ = std::make_unique_for_overwrite<int64_t[]>(table_->columns.size() * kStride);
}

void RowGatherer::add(std::span<const int64_t> cells) {
  const size_t columns = table_->columns.size();
  reserve();
  int64_t* target = cells_.get() + rows_++;
  const size_t given = std::min(cells.size(), columns);
  for (size_t i = 0; i < given; ++i, target += kStride) *target = cells[i];
  for (size_t i = given; i < columns; ++i, target += kStride) *target = 0;
}

}  // namespace jitscope::trace::write
