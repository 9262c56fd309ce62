#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "collector/windows/plan.h"
#include "collector/windows/shared_switch.h"
#include "trace/writer.h"

namespace jitscope::collector {

/// Takes over that this process keeps a flight recorder, if it is in the plan. `shared` may be
/// null. Call once, when the library is loaded.
void prepareFlight(const WindowPlan& plan, const SharedSwitch* shared);

namespace detail {
extern std::atomic<bool> isFlightRecorded;
}

/// Whether this process keeps a flight recorder, in place of a file of all that happens.
inline bool isFlight() noexcept { return detail::isFlightRecorded.load(std::memory_order_relaxed); }

/// How much memory it has for each of the things that it keeps.
size_t flightPartBytes() noexcept;

/// The writer of this process, of whichever kind.
trace::Result<std::unique_ptr<trace::FileWriter>> makeWriter(const std::string& path);

/// Has the flight recorder write a window if the row is one that triggers it.
void noteTrigger(trace::FileWriter& writer, trace::TableId table,
                 std::span<const int64_t> cells) noexcept;

}  // namespace jitscope::collector
