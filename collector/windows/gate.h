#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "collector/windows/fork_lock.h"
#include "collector/windows/plan.h"
#include "collector/windows/shared_switch.h"
#include "collector/windows/step_counter.h"
#include "collector/windows/window_list.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Decides which rows of a process are recorded, and tells in the trace which windows that were.
/// Any thread, and a forked child goes on with the state of its parent. Times are those of the
/// trace; the gate reads no clock.
class WindowGate {
 public:
  /// Takes over when to record; `shared` may be null. Call once, before any other call.
  void prepare(const WindowPlan& plan, const SharedSwitch* shared, int64_t nowNs);

  /// Whether rows may be left out at all. Else nothing below needs to be asked.
  bool isUsed() const noexcept { return isUsed_.load(std::memory_order_relaxed); }

  /// Whether a row is to be kept. Of one that comes so late that the windows of its time are
  /// forgotten that is not known: it is left out, and counted as lost. Tells `sink` of windows that
  /// have begun or ended by then.
  bool takes(trace::TableId table, std::span<const int64_t> cells, trace::EventSink& sink) noexcept;

  /// The same of the row of an event that counts by that time: the GPU's work by its launch.
  bool takes(const trace::RowTime& time, trace::EventSink& sink) noexcept;

  /// Begins a window unless one is open, and ends the one that is open.
  void start(int64_t nowNs, WindowCause cause) noexcept;
  void stop(int64_t nowNs, WindowCause cause) noexcept;

  /// Whether what happens now is kept.
  bool isOpen(int64_t nowNs) noexcept;

  /// Whether the program's profiler, CUDA's, begins and ends windows: it was waited for.
  bool followsProfiler() const noexcept { return plan_.isPaused; }

  /// The name of the NVTX ranges that are windows; empty: ranges do not matter.
  const std::string& awaitedRange() const noexcept { return plan_.nvtxRange; }

  /// Whether steps are counted here, so that the marks of their ends have to be looked for.
  bool countsSteps() const noexcept { return steps_.isUsed(); }

  /// How many steps have ended; nothing when another thread holds on to the gate.
  std::optional<int64_t> endedSteps() noexcept;

  /// A step has ended; `name` is that of the mark.
  void step(StepMark mark, trace::StringId name, int64_t nowNs) noexcept;

  /// Tells a new file how its process is recorded, and that it begins at that time. `isFirst`: no
  /// other tells of the windows that are over; those of a forked child's parent are the parent's.
  void beginFile(int64_t nowNs, bool isFirst, trace::EventSink& sink) noexcept;

  /// Ends what is open, for the file, which takes no more rows.
  void endFile(int64_t nowNs, trace::EventSink& sink) noexcept;

 private:
  void use() noexcept;
  void startHeld(int64_t nowNs, WindowCause cause, int64_t step) noexcept;
  void stopHeld(int64_t nowNs, WindowCause cause, int64_t step) noexcept;
  void followSwitch() noexcept;
  void followSwitchHeld() noexcept;
  void tell(int64_t nowNs, trace::EventSink& sink) noexcept;
  void tellLosses(int64_t nowNs, trace::EventSink& sink) noexcept;

  struct Told {
    uint64_t begun = 0, ended = 0;  ///< windows of which the file knows
    bool isWishTold = false;
    /// Windows that have ended by then, or before the next file begins, are not that file's.
    int64_t ownFromNs = INT64_MAX;
    std::atomic<int64_t> rowsInDoubt{0};     ///< left out, not told
    std::atomic<int64_t> nextNs{INT64_MAX};  ///< when there is more to tell
  };

  std::atomic<bool> isUsed_{false};
  WindowPlan plan_;
  const SharedSwitch* shared_ = nullptr;
  std::atomic<uint64_t> seenFlips_{0};
  ForkLock lock_;
  WindowList windows_;  ///< changed under lock_
  StepCounter steps_;
  Told told_;  ///< under lock_
};

/// The texts of the table recorded_window for what began or ended a window.
std::string_view causeText(WindowCause cause) noexcept;

}  // namespace jitscope::collector
