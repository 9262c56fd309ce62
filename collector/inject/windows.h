#pragma once

#include <atomic>
#include <span>

#include "collector/inject/dictionary.h"
#include "collector/windows/gate.h"

namespace jitscope::collector {

namespace detail {
extern std::atomic<bool> areRowsLookedAt;
}

/// Whether there are windows, steps or triggers here, for the sake of which rows are looked at.
inline bool areRowsLookedAt() noexcept {
  return detail::areRowsLookedAt.load(std::memory_order_relaxed);
}

/// Looks at rows from now on.
inline void lookAtRows() noexcept { detail::areRowsLookedAt = true; }

/// Decides which rows of this process the session keeps. Lives until the process ends.
WindowGate& windowGate() noexcept;

/// Prepares the gate by what the launcher left in the environment, `plan` (may be null) and a file
/// in `folder`. Call once, when the library is loaded.
void prepareWindows(const char* plan, const char* folder) noexcept;

/// Tells the gate of the step that has ended, if the operator with these cells marks the end of
/// one.
void countStep(WindowGate& gate, const Dictionary& dictionary,
               std::span<const int64_t> cells) noexcept;

/// Writes as a counter how many steps have ended, where steps are counted.
void reportSteps(WindowGate& gate, trace::EventSink& sink) noexcept;

}  // namespace jitscope::collector
