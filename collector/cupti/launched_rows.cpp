#include "collector/cupti/launched_rows.h"

#include <algorithm>
#include <exception>

namespace jitscope::collector {
namespace {

constexpr size_t kFewHeld = 1024;

size_t slotOf(trace::CorrelationId correlation) {
  return static_cast<size_t>(correlation) % LaunchedRows::kCalls;
}

}  // namespace

void LaunchedRows::addCall(trace::CorrelationId correlation, const trace::RowTime& time) noexcept {
  try {
    if (calls_.empty()) calls_.resize(kCalls);
    calls_[slotOf(correlation)] = {correlation, time};
  } catch (const std::exception&) {
    // No memory: rows count by their own time.
  }
}

const trace::RowTime* LaunchedRows::callOf(trace::CorrelationId correlation) const {
  if (calls_.empty() || correlation == trace::CorrelationId::kNone) return nullptr;
  const Call& call = calls_[slotOf(correlation)];
  return call.correlation == correlation ? &call.time : nullptr;
}

void LaunchedRows::writeCells(trace::TableId table, trace::CorrelationId correlation,
                              std::span<const int64_t> cells) noexcept {
  if (!wishes_.isWindowed || !wishes_.isWindowed()) return sink_.write(table, cells);
  if (const trace::RowTime* const call = callOf(correlation)) {
    return wishes_.writeLaunched(static_cast<uint32_t>(table), cells.data(),
                                 static_cast<uint32_t>(cells.size()), call->startNs, call->endNs);
  }
  if (held_.size() >= settleAt_) settle(false);
  const bool mayWait = correlation != trace::CorrelationId::kNone && held_.size() < kMostHeld;
  if (!mayWait || !hold(table, correlation, cells)) sink_.write(table, cells);
}

// False for want of memory.
bool LaunchedRows::hold(trace::TableId table, trace::CorrelationId correlation,
                        std::span<const int64_t> cells) noexcept {
  Held held{.table = table,
            .count = static_cast<uint32_t>(cells.size()),
            .correlation = correlation,
            .round = round_};
  std::copy(cells.begin(), cells.end(), held.cells.begin());
  try {
    held_.push_back(held);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

// Those that go on waiting stay in their order.
void LaunchedRows::settle(bool isLast) noexcept {
  const auto isDone = [&](const Held& held) {
    if (const trace::RowTime* const call = callOf(held.correlation)) {
      wishes_.writeLaunched(static_cast<uint32_t>(held.table), held.cells.data(), held.count,
                            call->startNs, call->endNs);
      return true;
    }
    if (!isLast && round_ - held.round < kPatienceRounds) return false;
    sink_.write(held.table, {held.cells.data(), held.count});
    return true;
  };
  held_.erase(std::remove_if(held_.begin(), held_.end(), isDone), held_.end());
  settleAt_ = std::max(kFewHeld, 2 * held_.size());
}

void LaunchedRows::endRound(bool isLast) {
  ++round_;
  settle(isLast);
  if (held_.empty()) std::vector<Held>().swap(held_);
}

}  // namespace jitscope::collector
