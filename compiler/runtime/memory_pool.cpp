#include "compiler/runtime/memory_pool.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

namespace jitscope::compiler {
namespace {

constexpr size_t kSmallest = 256, kHugePage = size_t{2} << 20, kAlignment = 64;

/// Four classes for each power of two, so that at most a quarter is wasted.
size_t classOf(size_t bytes) {
  bytes = bytes < kSmallest ? kSmallest : bytes;
  const auto power = static_cast<size_t>(std::bit_width(bytes - 1));
  const size_t quarter = size_t{1} << (power - 3);
  const size_t half = size_t{1} << (power - 1);
  return power * 4 + (bytes - half + quarter - 1) / quarter - 1;
}

size_t bytesOfClass(size_t sizeClass) {
  const size_t power = sizeClass / 4, step = sizeClass % 4 + 1;
  return (size_t{1} << (power - 1)) + step * (size_t{1} << (power - 3));
}

/// What the process's control group may use, as far as it can be told; all there is without one.
size_t groupLimit() {
  size_t limit = std::numeric_limits<size_t>::max();
  for (const char* file :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    size_t bytes = 0;
    if (std::ifstream(file) >> bytes) limit = std::min(limit, bytes);
  }
  return limit;
}

/// An eighth of the memory, and no more than 2 GiB.
size_t mostKept() {
  const size_t machine =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::min(std::min(machine, groupLimit()) / 8, size_t{2} << 30);
}

struct Shelves {
  std::mutex mutex;
  std::array<std::vector<void*>, size_t{64} * 4> free;
  std::unordered_map<void*, size_t> classes;  ///< of what is out and what is kept
  size_t kept = 0;
  const size_t limit = mostKept();
};

Shelves& shelves() {
  static auto* made = [] {
    static auto* all = new Shelves;
    // A child must not find the lock taken by a thread that it does not have.
    pthread_atfork([] { all->mutex.lock(); }, [] { all->mutex.unlock(); },
                   [] { all->mutex.unlock(); });
    return all;
  }();
  return *made;
}

void* fromSystem(size_t bytes) {
  void* memory = nullptr;
  const size_t alignment = bytes >= kHugePage ? kHugePage : kAlignment;
  if (posix_memalign(&memory, alignment, bytes) != 0) return nullptr;
  if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

MemoryPool& MemoryPool::instance() {
  static auto* pool = new MemoryPool;
  return *pool;
}

void* MemoryPool::take(size_t bytes) {
  if (bytes == 0) return nullptr;
  const size_t sizeClass = classOf(bytes);
  Shelves& all = shelves();
  {
    const std::lock_guard lock(all.mutex);
    auto& free = all.free[sizeClass];
    if (!free.empty()) {
      void* memory = free.back();
      free.pop_back();
      all.kept -= bytesOfClass(sizeClass);
      return memory;
    }
  }
  void* memory = fromSystem(bytesOfClass(sizeClass));
  if (!memory) {
    releaseKept();
    memory = fromSystem(bytesOfClass(sizeClass));
  }
  if (!memory) return nullptr;
  const std::lock_guard lock(all.mutex);
  all.classes[memory] = sizeClass;
  return memory;
}

void MemoryPool::give(void* memory) {
  if (!memory) return;
  Shelves& all = shelves();
  {
    const std::lock_guard lock(all.mutex);
    const size_t sizeClass = all.classes.at(memory);
    if (all.kept + bytesOfClass(sizeClass) <= all.limit) {
      all.kept += bytesOfClass(sizeClass);
      all.free[sizeClass].push_back(memory);
      return;
    }
    all.classes.erase(memory);
  }
  std::free(memory);
}

int64_t MemoryPool::keptBytes() const {
  const std::lock_guard lock(shelves().mutex);
  return static_cast<int64_t>(shelves().kept);
}

void MemoryPool::releaseKept() {
  Shelves& all = shelves();
  const std::lock_guard lock(all.mutex);
  for (auto& free : all.free) {
    for (void* memory : free) {
      all.classes.erase(memory);
      std::free(memory);
    }
    free.clear();
  }
  all.kept = 0;
}

}  // namespace jitscope::compiler
