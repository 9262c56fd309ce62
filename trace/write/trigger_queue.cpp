#include "trace/write/trigger_queue.h"

#include <algorithm>
#include <cstring>

namespace jitscope::trace::write {
namespace {

/// What a GPU did becomes known that much later, and the last rows of a thread.
constexpr int64_t kSettlingNs = 500'000'000;

}  // namespace

void TriggerQueue::add(std::string_view reason, int64_t timeNs) noexcept {
  const std::lock_guard lock(mutex_);
  if (waiting_.count++ > 0) return;
  waiting_.firstNs = timeNs;
  const size_t size = std::min(reason.size(), sizeof waiting_.reason - 1);
  std::memcpy(waiting_.reason, reason.data(), size);
  waiting_.reason[size] = '\0';
}

std::optional<Triggered> TriggerQueue::take(int64_t nowNs, bool isLast) noexcept {
  const std::lock_guard lock(mutex_);
  if (waiting_.count == 0) return std::nullopt;
  const int64_t dueNs = std::max(waiting_.firstNs + afterNs_ + kSettlingNs,
                                 lastTakenNs_ == 0 ? waiting_.firstNs : lastTakenNs_ + apartNs_);
  if (nowNs < dueNs && !isLast) return std::nullopt;
  const Triggered taken = waiting_;
  waiting_ = {};
  lastTakenNs_ = nowNs;
  return taken;
}

}  // namespace jitscope::trace::write
