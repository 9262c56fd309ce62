#pragma once

#include <atomic>
#include <cstdint>

namespace jitscope::trace::write {

/// What producers could not hand over, counted where it happened and collected by the writer's
/// thread.
struct LossCounters {
  std::atomic<int64_t> rowsWithoutMemory{0};
  std::atomic<int64_t> rowsOfUnknownTables{0};
  std::atomic<int64_t> texts{0};
};

}  // namespace jitscope::trace::write
