#include "trace/read/cell_array.h"

#include <sys/mman.h>
#include <unistd.h>

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
}

std::span<int64_t> CellArray::prepared(size_t first, size_t count) const {
  const std::span<int64_t> part = cells().subspan(first, count);
#ifdef MADV_POPULATE_WRITE
  // Where the kernel does not know it, pages come one by one.
  if (cells_.get_deleter().mappedBytes > 0 && !part.empty()) {
    static const auto pageBytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<uintptr_t>(part.data()) / pageBytes * pageBytes;
    const auto end = reinterpret_cast<uintptr_t>(part.data() + count);
    madvise(reinterpret_cast<void*>(start), end - start, MADV_POPULATE_WRITE);
  }
#endif
  return part;
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
    const std::span<int64_t> cells = arrays.emplace_back(count).prepared(0, count);
    std::fill(cells.begin(), cells.end(), value);
  }
  return arrays.back().cells().first(count);
}

}  // namespace jitscope::trace::read
