#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

namespace jitscope::trace::write {

/// Triggers that one window is to show.
struct Triggered {
  char reason[96] = "";  ///< of the first
  int64_t firstNs = 0;
  int64_t count = 0;
};

/// The triggers of a flight recorder until their window is written. Those that come meanwhile
/// become part of it, so a storm of them is one window after the other, however many there are.
class TriggerQueue {
 public:
  /// `afterNs` of what follows the first trigger is to be seen; windows begin at least `apartNs`
  /// apart.
  TriggerQueue(int64_t afterNs, int64_t apartNs) : afterNs_(afterNs), apartNs_(apartNs) {}

  /// A trigger came. Any thread; takes no memory.
  void add(std::string_view reason, int64_t timeNs) noexcept;

  /// What is to be written now, if anything, or at all with `isLast`. For the writer's thread.
  std::optional<Triggered> take(int64_t nowNs, bool isLast) noexcept;

 private:
  const int64_t afterNs_, apartNs_;
  std::mutex mutex_;
  Triggered waiting_;
  int64_t lastTakenNs_ = 0;
};

}  // namespace jitscope::trace::write
