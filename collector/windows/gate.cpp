#include "collector/windows/gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace jitscope::collector {

std::string_view causeText(WindowCause cause) noexcept {
  switch (cause) {
    case WindowCause::kStart:
      return "start of the process";
    case WindowCause::kDelay:
      return "delay";
    case WindowCause::kDuration:
      return "duration";
    case WindowCause::kStep:
      return "step";
    case WindowCause::kSignal:
      return "signal";
    case WindowCause::kProgram:
      return "program";
    case WindowCause::kCuda:
      return "CUDA profiler";
    case WindowCause::kNvtx:
      return "NVTX range";
    case WindowCause::kEnd:
      return "end of the recording";
  }
  return "";
}

namespace {

trace::StringId internCause(trace::EventSink& sink, WindowCause cause, int64_t step) {
  const std::string_view text = causeText(cause);
  if (cause != WindowCause::kStep) return sink.intern(text);
  std::array<char, 64> words{};  // on a thread of the program's there may be no other memory
  char* const number = words.data() + text.copy(words.data(), words.size() / 2) + 1;
  number[-1] = ' ';
  const char* const end = std::to_chars(number, words.data() + words.size(), step).ptr;
  return sink.intern({words.data(), static_cast<size_t>(end - words.data())});
}

void writeLoss(trace::EventSink& sink, int64_t timeNs, std::string_view reason, int64_t amount) {
  if (amount == 0) return;
  trace::emit(sink, trace::LossRow{.timeNs = timeNs,
                                   .place = sink.intern("collector"),
                                   .text = sink.intern(reason),
                                   .amount = amount});
}

void writeWindow(trace::EventSink& sink, uint64_t number, const Window& window, bool isEnded) {
  trace::RecordedWindowRow row{.window = static_cast<int64_t>(number) + 1,
                               .startNs = window.startNs,
                               .reason = internCause(sink, window.cause, window.step)};
  if (isEnded) {
    row.endNs = window.endNs;
    row.endReason = internCause(sink, window.endCause, window.endStep);
  }
  trace::emit(sink, row);
}

}  // namespace

void WindowGate::prepare(const WindowPlan& plan, const SharedSwitch* shared, int64_t nowNs) {
  plan_ = WindowPlan(plan);  // wholly, or not for want of memory
  shared_ = shared;
  told_.ownFromNs = nowNs;
  steps_.prepare(plan.firstStep, plan.lastStep);
  const bool isOpen = !plan.isPaused && !plan.hasSignal && plan.nvtxRange.empty() &&
                      (!steps_.isUsed() || steps_.isFirstWanted());
  const bool isDelayed = plan.firstNs > nowNs;
  // Of a process that the recording's delay has run out for it is the whole recording's window.
  const int64_t startNs = plan.firstNs > 0 ? plan.firstNs : nowNs;
  if (isOpen) {
    Window window{.startNs = startNs};
    if (isDelayed || plan.firstNs > 0) window.cause = WindowCause::kDelay;
    if (steps_.isUsed()) window.cause = WindowCause::kStep, window.step = 1;
    if (plan.durationNs > 0) {
      window.endNs = startNs + plan.durationNs;
      window.endCause = WindowCause::kDuration;
    }
    windows_.add(window);
    told_.nextNs = startNs;
  }
  if (plan.isWindowed()) use();
}

void WindowGate::use() noexcept { isUsed_.store(true, std::memory_order_release); }

bool WindowGate::takes(trace::TableId table, std::span<const int64_t> cells,
                       trace::EventSink& sink) noexcept {
  const std::optional<trace::RowTime> time = trace::eventTime(table, cells);
  return !time || takes(*time, sink);
}

bool WindowGate::takes(const trace::RowTime& time, trace::EventSink& sink) noexcept {
  followSwitch();
  if (time.endNs >= told_.nextNs.load(std::memory_order_relaxed)) {
    const ForkLock::Hold hold(lock_, ForkLock::Patience::kBrief);
    if (hold) tell(time.endNs, sink);
  }
  const std::optional<bool> isCovered = windows_.covers(time);
  if (!isCovered) told_.rowsInDoubt.fetch_add(1, std::memory_order_relaxed);
  return isCovered.value_or(false);
}

void WindowGate::start(int64_t nowNs, WindowCause cause) noexcept {
  const ForkLock::Hold hold(lock_);
  if (!hold) return;
  followSwitchHeld();
  startHeld(nowNs, cause, 0);
}

void WindowGate::stop(int64_t nowNs, WindowCause cause) noexcept {
  const ForkLock::Hold hold(lock_);
  if (!hold) return;
  followSwitchHeld();
  stopHeld(nowNs, cause, 0);
}

void WindowGate::startHeld(int64_t nowNs, WindowCause cause, int64_t step) noexcept {
  Window window{.startNs = nowNs, .cause = cause, .step = step};
  if (plan_.durationNs > 0) {
    window.endNs = nowNs + plan_.durationNs;
    window.endCause = WindowCause::kDuration;
  }
  const uint64_t count = windows_.count();
  const Window last = count > 0 ? windows_.at(count - 1) : Window{.endNs = 0};
  if (count > 0 && nowNs < last.endNs && nowNs >= last.startNs) return;
  if (count > 0 && nowNs < last.startNs) {
    windows_.replaceLast(window);  // one that a delay had yet to begin
  } else {
    windows_.add(window);
  }
  told_.nextNs = std::min(told_.nextNs.load(), nowNs);
}

void WindowGate::stopHeld(int64_t nowNs, WindowCause cause, int64_t step) noexcept {
  const uint64_t count = windows_.count();
  if (count == 0) return;
  Window last = windows_.at(count - 1);
  if (nowNs < last.startNs || nowNs >= last.endNs) return;
  last.endNs = nowNs;
  last.endCause = cause;
  last.endStep = step;
  windows_.replaceLast(last);
  told_.nextNs = std::min(told_.nextNs.load(), nowNs);
  use();
}

bool WindowGate::isOpen(int64_t nowNs) noexcept {
  followSwitch();
  return windows_.isOpenAt(nowNs);
}

void WindowGate::step(StepMark mark, trace::StringId name, int64_t nowNs) noexcept {
  const ForkLock::Hold hold(lock_);
  if (!hold) return;
  followSwitchHeld();
  const StepCounter::Ended ended = steps_.end(mark, name);
  if (ended.turn == StepCounter::Turn::kStart) startHeld(nowNs, WindowCause::kStep, ended.step);
  if (ended.turn == StepCounter::Turn::kStop) stopHeld(nowNs, WindowCause::kStep, ended.step);
}

std::optional<int64_t> WindowGate::endedSteps() noexcept {
  const ForkLock::Hold hold(lock_);
  return hold ? std::optional(steps_.ended()) : std::nullopt;
}

void WindowGate::followSwitch() noexcept {
  if (!shared_ || shared_->flips() == seenFlips_.load(std::memory_order_relaxed)) return;
  const ForkLock::Hold hold(lock_, ForkLock::Patience::kBrief);
  if (hold) followSwitchHeld();
}

// Each flip once: another thread may have followed some of them before this one got the lock.
void WindowGate::followSwitchHeld() noexcept {
  const uint64_t flips = shared_ ? shared_->flips() : 0;
  for (uint64_t number = seenFlips_; number < flips; ++number) {
    const int64_t timeNs = shared_->timeOf(number);
    if (windows_.isOpenAt(timeNs)) {
      stopHeld(timeNs, WindowCause::kSignal, 0);
    } else {
      startHeld(timeNs, WindowCause::kSignal, 0);
    }
  }
  seenFlips_ = flips;
}

// Windows follow each other, so at most one has begun and not ended.
void WindowGate::tell(int64_t nowNs, trace::EventSink& sink) noexcept {
  if (!told_.isWishTold) {
    const std::string_view asked = plan_.wish;
    const std::string_view wish = asked.empty() ? "as the program says" : asked;
    trace::emit(sink, trace::RecordedWindowRow{.reason = sink.intern(wish)});
    told_.isWishTold = true;
  }
  tellLosses(nowNs, sink);
  int64_t nextNs = INT64_MAX;
  for (const uint64_t count = windows_.count(); told_.ended < count;) {
    const Window window = windows_.at(told_.ended);
    if (window.startNs > nowNs) {
      nextNs = window.startNs;
      break;
    }
    const bool isEnded = window.endNs <= nowNs;
    if (isEnded || told_.begun <= told_.ended) writeWindow(sink, told_.ended, window, isEnded);
    told_.begun = told_.ended + 1;
    if (!isEnded) {
      nextNs = window.endNs;
      break;
    }
    ++told_.ended;
  }
  told_.nextNs = nextNs;
}

void WindowGate::tellLosses(int64_t nowNs, trace::EventSink& sink) noexcept {
  if (const uint64_t oldest = windows_.oldest(); oldest > told_.ended) {
    writeLoss(sink, nowNs, "windows of which too many came at once to tell of all",
              static_cast<int64_t>(oldest - told_.ended));
    told_.ended = oldest;
  }
  writeLoss(sink, nowNs, "rows that came so late that the windows of their time were forgotten",
            told_.rowsInDoubt.exchange(0, std::memory_order_relaxed));
}

void WindowGate::beginFile(int64_t nowNs, bool isFirst, trace::EventSink& sink) noexcept {
  const ForkLock::Hold hold(lock_);
  if (!hold) return;
  followSwitchHeld();
  // A short program may be through its windows before its first file begins. For a later file those
  // that have ended are told elsewhere.
  const int64_t fromNs = isFirst ? std::min(nowNs, told_.ownFromNs) : nowNs;
  told_.ownFromNs = INT64_MAX;
  told_.ended = windows_.count();
  while (told_.ended > windows_.oldest() && windows_.at(told_.ended - 1).endNs > fromNs) {
    --told_.ended;
  }
  told_.begun = told_.ended;
  told_.isWishTold = false;
  told_.rowsInDoubt = 0;
  if (isUsed()) tell(nowNs, sink);
}

void WindowGate::endFile(int64_t nowNs, trace::EventSink& sink) noexcept {
  if (!isUsed()) return;
  const ForkLock::Hold hold(lock_);
  if (!hold) return;
  followSwitchHeld();
  const uint64_t count = windows_.count();
  if (count > 0) {
    // The process is not over for the gate: a failed exec goes on in another file.
    Window last = windows_.at(count - 1);
    tell(nowNs, sink);
    if (last.startNs > nowNs || last.endNs <= nowNs) return;
    last.endNs = nowNs;
    last.endCause = WindowCause::kEnd;
    writeWindow(sink, count - 1, last, true);
  }
}

}  // namespace jitscope::collector
