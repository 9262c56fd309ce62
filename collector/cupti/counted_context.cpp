#include "collector/cupti/counted_context.h"

#include <chrono>
#include <exception>

namespace jitscope::collector {
namespace {

constexpr std::chrono::seconds kPatience{1};

}  // namespace

void CountedContext::start() {
  const std::lock_guard lock(mutex_);
  resume();
}

void CountedContext::enter(const LaunchCall& call, uint32_t contextNumber) {
  mutex_.lock();
  if (depth_++ > 0 || state_ == State::kEnded) return;
  // Which node a count belongs to is not known, so that graphs run uncounted.
  if (call.isGraph) return pause();
  if (launches_.size() == RangeCounter::kMostRanges) {
    pause();
    resume();
  }
  launches_.push_back(rows_.of(call, device_, contextNumber));
}

void CountedContext::leave(const LaunchCall& call, bool isMade) noexcept {
  --depth_;
  try {
    if (depth_ == 0 && call.isGraph) resume();
  } catch (const std::exception&) {
    state_ = State::kRefused;  // no memory
  }
  if (depth_ == 0 && !call.isGraph && !isMade && !launches_.empty()) launches_.pop_back();
  mutex_.unlock();
}

void CountedContext::pause() {
  std::vector<RangeBytes> bytes;
  if (state_ == State::kCounting) {
    state_ = State::kPaused;
    auto counted = counter_.stop();
    if (!counted) {
      state_ = State::kRefused;
      rows_.tellUncounted(counted.error().text);
    } else if (counted->size() == launches_.size()) {
      bytes = std::move(*counted);
    }
  }
  rows_.write(launches_, bytes);
  launches_.clear();
}

void CountedContext::resume() {
  if (state_ != State::kPaused) return;
  if (const auto started = counter_.start(); !started) {
    state_ = State::kRefused;
    return rows_.tellUncounted(started.error().text);
  }
  state_ = State::kCounting;
}

void CountedContext::end() {
  const std::unique_lock lock(mutex_, kPatience);
  if (!lock.owns_lock()) return rows_.tellUncounted("a launch did not come back");
  pause();
  state_ = State::kEnded;
  counter_.end();
}

}  // namespace jitscope::collector
