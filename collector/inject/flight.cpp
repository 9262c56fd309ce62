#include "collector/inject/flight.h"

#include <utility>

#include "collector/windows/flight_trigger.h"

namespace jitscope::collector {

namespace detail {
constinit std::atomic<bool> isFlightRecorded{false};
}

namespace {

// Never freed: threads use it until the process ends.
const WindowPlan* plan = nullptr;
const SharedSwitch* heard = nullptr;
constinit std::atomic<uint64_t> heardFlips{0};

// By the recorder's thread alone.
int64_t signalledNs() {
  const uint64_t flips = heard ? heard->flips() : 0;
  if (flips == heardFlips.exchange(flips, std::memory_order_relaxed)) return 0;
  return heard->timeOf(flips - 1);
}

}  // namespace

void prepareFlight(const WindowPlan& wanted, const SharedSwitch* shared) {
  if (!wanted.isFlight()) return;
  plan = new WindowPlan(wanted);
  heard = shared;
  // A program that is started later has nothing to tell of what was asked for before.
  if (shared) heardFlips = shared->flips();
  detail::isFlightRecorded = true;
}

size_t flightPartBytes() noexcept { return static_cast<size_t>(plan->flight.memoryBytes) / 8; }

trace::Result<std::unique_ptr<trace::FileWriter>> makeWriter(const std::string& path) {
  if (!isFlight()) return trace::FileWriter::create(path);
  return trace::FileWriter::createFlight(path, {.beforeNs = plan->flight.beforeNs,
                                                .afterNs = plan->flight.afterNs,
                                                .mostWindows = plan->flight.mostWindows,
                                                .memoryBytes = plan->flight.memoryBytes,
                                                .wish = plan->wish,
                                                .signalledNs = signalledNs});
}

void noteTrigger(trace::FileWriter& writer, trace::TableId table,
                 std::span<const int64_t> cells) noexcept {
  const auto trigger = flightTrigger(plan->flight, table, cells);
  if (trigger) writer.trigger(trigger->reason, trigger->timeNs);
}

}  // namespace jitscope::collector
