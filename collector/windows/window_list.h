#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "trace/row_time.h"

namespace jitscope::collector {

/// What begins or ends a window.
enum class WindowCause : uint32_t {
  kStart,     ///< of the process
  kDelay,     ///< has passed
  kDuration,  ///< has passed
  kStep,
  kSignal,
  kProgram,  ///< by its own word
  kCuda,     ///< cudaProfilerStart and cudaProfilerStop
  kNvtx,     ///< a range of the name that is waited for
  kEnd,      ///< of the recording
};

/// One window: its times, and what began and ended it. `step` is that of the cause kStep.
struct Window {
  static constexpr int64_t kOpen = std::numeric_limits<int64_t>::max();
  int64_t startNs = 0, endNs = kOpen;
  WindowCause cause = WindowCause::kStart, endCause = WindowCause::kEnd;
  int64_t step = 0, endStep = 0;
};

/// The windows of a process, one after the other. One thread at a time adds and ends them; any
/// thread asks at the same time. Of those before the last few it is forgotten what they covered.
class WindowList {
 public:
  /// How many are known still.
  static constexpr size_t kKept = 1024;

  /// How many there were.
  uint64_t count() const noexcept { return count_.load(std::memory_order_acquire); }

  /// The number, from 0, of the oldest one that is known still.
  uint64_t oldest() const noexcept { return count() > kKept ? count() - kKept : 0; }

  /// The window of that number.
  Window at(uint64_t number) const noexcept;

  /// Adds a window behind the others.
  void add(const Window& window) noexcept;

  /// Puts another window in the place of the last one.
  void replaceLast(const Window& window) noexcept;

  /// Whether something happened in a window, at least in part. Nothing when the windows of then are
  /// forgotten.
  std::optional<bool> covers(const trace::RowTime& time) const noexcept;

  /// Whether a window is open at that time.
  bool isOpenAt(int64_t timeNs) const noexcept { return covers({timeNs, timeNs}).value_or(false); }

 private:
  struct Slot {
    std::atomic<int64_t> startNs, endNs, step, endStep;
    std::atomic<WindowCause> cause, endCause;
  };
  void put(uint64_t number, const Window& window) noexcept;

  std::array<Slot, kKept> slots_{};
  std::atomic<uint64_t> count_{0};
};

}  // namespace jitscope::collector
