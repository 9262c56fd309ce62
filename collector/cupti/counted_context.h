#pragma once

#include <mutex>
#include <vector>

#include "collector/cupti/launch_rows.h"
#include "collector/cupti/range_counter.h"

namespace jitscope::collector {

/// A CUDA context whose kernels are counted. They are launched one after the other, so that the
/// order of the launches is that of the counts. Any thread.
class CountedContext {
 public:
  CountedContext(uint32_t device, RangeCounter counter, LaunchRows& rows)
      : device_(device), counter_(std::move(counter)), rows_(rows) {}

  /// Begins to count.
  void start();

  /// A launch begins: no other thread's may until `leave` is called, by the same thread.
  void enter(const LaunchCall& call, uint32_t contextNumber);
  /// The launch was made, or was refused by the driver.
  void leave(const LaunchCall& call, bool isMade) noexcept;

  /// Writes what was counted, and counts no more. Waits a second at most for a launch that is under
  /// way.
  void end();

 private:
  enum class State {
    kPaused,
    kCounting,
    kRefused,  ///< launches are noted, but nothing is counted any more
    kEnded,    ///< nothing is noted
  };

  void pause();
  void resume();

  const uint32_t device_;
  std::recursive_timed_mutex mutex_;
  RangeCounter counter_;
  LaunchRows& rows_;
  std::vector<trace::KernelRow> launches_;  ///< since the counter was started
  int depth_ = 0;                           ///< of launches within launches
  State state_ = State::kPaused;
};

}  // namespace jitscope::collector
