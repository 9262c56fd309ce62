#pragma once

extern "C" {
// Of the leak checker in the program that we run in, if it has one.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): its names.
__attribute__((weak)) void __lsan_disable();
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): its names.
__attribute__((weak)) void __lsan_enable();
}

namespace jitscope::trace {

/// While one lives, what its thread allocates, and what is reachable from there, is no leak to the
/// program's leak checker. For memory that only a thread knows: in a forked child, where the thread
/// does not exist, it would be reported as lost, and the child would fail.
class LeakExempt {
 public:
  LeakExempt() {
    if (__lsan_disable != nullptr) __lsan_disable();
  }
  ~LeakExempt() {
    if (__lsan_enable != nullptr) __lsan_enable();
  }
  LeakExempt(const LeakExempt&) = delete;
  LeakExempt& operator=(const LeakExempt&) = delete;
};

}  // namespace jitscope::trace
