#include "trace/row_time.h"

#include <algorithm>

#include "trace/column_index.h"
#include "trace/process_counters.h"
#include "trace/sink.h"

namespace jitscope::trace {
namespace {

int64_t cellAt(std::span<const int64_t> cells, size_t index) {
  return index < cells.size() ? cells[index] : 0;
}

template <class Row>
std::optional<RowTime> spanOf(std::span<const int64_t> cells) {
  const RowTime time{cellAt(cells, columnIndex<&Row::startNs, Row>()),
                     cellAt(cells, columnIndex<&Row::endNs, Row>())};
  return RowTime{time.startNs, std::max(time.startNs, time.endNs)};
}

template <auto Member, class Row>
int64_t valueOf(std::span<const int64_t> cells) {
  return cellAt(cells, columnIndex<Member, Row>());
}

}  // namespace

std::optional<RowTime> eventTime(TableId table, std::span<const int64_t> cells) noexcept {
  switch (table) {
    case TableId::kOp:
      return spanOf<OpRow>(cells);
    case TableId::kCall:
      return spanOf<CallRow>(cells);
    case TableId::kRegion:
      return spanOf<RegionRow>(cells);
    case TableId::kKernel:
      return spanOf<KernelRow>(cells);
    case TableId::kMemcpy:
      return spanOf<MemcpyRow>(cells);
    case TableId::kMemset:
      return spanOf<MemsetRow>(cells);
    case TableId::kApi:
      return spanOf<ApiRow>(cells);
    case TableId::kSync:
      return spanOf<SyncRow>(cells);
    case TableId::kGraphLaunch:
      return spanOf<GraphLaunchRow>(cells);
    case TableId::kCounter:
      if (valueOf<&CounterRow::device, CounterRow>(cells) == kNoDevice) return std::nullopt;
      return spanOf<CounterRow>(cells);
    case TableId::kGraphBreak:
      if (valueOf<&GraphBreakRow::isFirst, GraphBreakRow>(cells)) return std::nullopt;
      return spanOf<GraphBreakRow>(cells);
    case TableId::kGuardFailure: {
      const auto kNone = static_cast<int64_t>(AttemptId::kNone);
      if (valueOf<&GuardFailureRow::caused, GuardFailureRow>(cells) != kNone) return std::nullopt;
      const int64_t timeNs = valueOf<&GuardFailureRow::timeNs, GuardFailureRow>(cells);
      return RowTime{timeNs, timeNs};
    }
    default:
      return std::nullopt;
  }
}

}  // namespace jitscope::trace
