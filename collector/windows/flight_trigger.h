#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collector/windows/plan.h"
#include "trace/schema.h"

namespace jitscope::collector {

/// A row that triggers a flight recorder.
struct FlightTrigger {
  std::string_view reason;
  int64_t timeNs = 0;
};

/// What a row triggers by the plan: a recompile, a call beyond the recompile limit, a call that
/// took long. A call that compiled is not slow, it is a recompile or the first.
std::optional<FlightTrigger> flightTrigger(const FlightPlan& plan, trace::TableId table,
                                           std::span<const int64_t> cells) noexcept;

}  // namespace jitscope::collector
