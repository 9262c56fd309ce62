#include "collector/windows/flight_trigger.h"

#include "trace/column_index.h"
#include "trace/sink.h"

namespace jitscope::collector {
namespace {

using trace::CallOutcome;
using trace::CallRow;
using trace::columnIndex;
using trace::CompileRow;

template <class Row>
bool isWhole(std::span<const int64_t> cells) {
  return cells.size() >= trace::columnCount<Row>();
}

std::optional<FlightTrigger> byCompile(std::span<const int64_t> cells) {
  const int64_t attempt = cells[columnIndex<&CompileRow::attempt, CompileRow>()];
  if (attempt < 1) return std::nullopt;
  return FlightTrigger{"recompile", cells[columnIndex<&CompileRow::endNs, CompileRow>()]};
}

std::optional<FlightTrigger> byCall(const FlightPlan& plan, std::span<const int64_t> cells) {
  const auto outcome =
      trace::fromCell<CallOutcome>(cells[columnIndex<&CallRow::outcome, CallRow>()]);
  const int64_t startNs = cells[columnIndex<&CallRow::startNs, CallRow>()];
  const int64_t endNs = cells[columnIndex<&CallRow::endNs, CallRow>()];
  if (plan.onLimit && outcome == CallOutcome::kLimit) return FlightTrigger{"limit", endNs};
  const bool isSlow = plan.slowCallNs > 0 && endNs - startNs >= plan.slowCallNs;
  if (isSlow && outcome != CallOutcome::kCompiled) return FlightTrigger{"slow-call", endNs};
  return std::nullopt;
}

}  // namespace

std::optional<FlightTrigger> flightTrigger(const FlightPlan& plan, trace::TableId table,
                                           std::span<const int64_t> cells) noexcept {
  if (table == trace::TableId::kCompile && plan.onRecompile && isWhole<CompileRow>(cells)) {
    return byCompile(cells);
  }
  if (table == trace::TableId::kCall && isWhole<CallRow>(cells)) return byCall(plan, cells);
  return std::nullopt;
}

}  // namespace jitscope::collector
