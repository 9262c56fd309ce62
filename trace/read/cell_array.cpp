#include "trace/read/cell_array.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace jitscope::trace::read {
namespace {

constexpr size_t kSmallestMapped = 1u << 20;

}  // namespace

CellArray::CellArray(size_t count) : count_(count) {
  const size_t bytes = count * sizeof(int64_t);
  if (bytes < kSmallestMapped) {
    cells_.reset(new int64_t[count]);
    return;
  }
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  cells_ = std::unique_ptr<int64_t[], Release>(static_cast<int64_t*>(memory), Release{bytes});
#ifdef MADV_POPULATE_WRITE
  // Where the kernel does not know it, pages come one by one.
  madvise(memory, bytes, MADV_POPULATE_WRITE);
#endif
}

void CellArray::Release::operator()(int64_t* cells) const {
  if (mappedBytes > 0) {
    munmap(cells, mappedBytes);
  } else {
    delete[] cells;
  }
}

std::span<const int64_t> ConstantCells::of(int64_t value, size_t count) {
  const std::lock_guard lock(mutex_);
  std::vector<CellArray>& arrays = arrays_[value];
  if (arrays.empty() || arrays.back().cells().size() < count) {
    const CellArray& array = arrays.emplace_back(count);
    std::fill(array.cells().begin(), array.cells().end(), value);
  }
  return arrays.back().cells().first(count);
}

}  // namespace jitscope::trace::read
