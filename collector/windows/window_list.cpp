#include "collector/windows/window_list.h"

namespace jitscope::collector {

Window WindowList::at(uint64_t number) const noexcept {
  const Slot& slot = slots_[number % kKept];
  constexpr auto kRelaxed = std::memory_order_relaxed;
  return {slot.startNs.load(kRelaxed),  slot.endNs.load(kRelaxed), slot.cause.load(kRelaxed),
          slot.endCause.load(kRelaxed), slot.step.load(kRelaxed),  slot.endStep.load(kRelaxed)};
}

void WindowList::put(uint64_t number, const Window& window) noexcept {
  Slot& slot = slots_[number % kKept];
  slot.startNs = window.startNs, slot.endNs = window.endNs;
  slot.cause = window.cause, slot.endCause = window.endCause;
  slot.step = window.step, slot.endStep = window.endStep;
}

void WindowList::add(const Window& window) noexcept {
  const uint64_t number = count();
  put(number, window);
  count_.store(number + 1, std::memory_order_release);
}

void WindowList::replaceLast(const Window& window) noexcept { put(count() - 1, window); }

// The newest first: rows come soon after what they tell.
std::optional<bool> WindowList::covers(const trace::RowTime& time) const noexcept {
  const uint64_t oldest = this->oldest();
  for (uint64_t number = count(); number > oldest; --number) {
    const Slot& slot = slots_[(number - 1) % kKept];
    if (time.startNs >= slot.endNs.load(std::memory_order_relaxed)) return false;
    const int64_t startNs = slot.startNs.load(std::memory_order_relaxed);
    // What ends as the window begins is not in it; what takes no time is, in the moment itself.
    if (time.endNs > startNs || time.startNs == startNs) return true;
  }
  return oldest > 0 ? std::nullopt : std::optional(false);
}

}  // namespace jitscope::collector
