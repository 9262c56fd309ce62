// What a program calls through collector/control.h.
#include "collector/control.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/flight.h"
#include "collector/inject/session.h"
#include "collector/inject/windows.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

void start() {
  const ErrnoGuard errnoGuard;
  if (isFlight()) return;  // it records all the time
  windowGate().start(trace::nowNs(), WindowCause::kProgram);
}

void stop() {
  const ErrnoGuard errnoGuard;
  if (isFlight()) return;
  lookAtRows();
  windowGate().stop(trace::nowNs(), WindowCause::kProgram);
}

int isRecordingNow() {
  const ErrnoGuard errnoGuard;
  return isRecording() && (isFlight() || windowGate().isOpen(trace::nowNs())) ? 1 : 0;
}

void step() {
  const ErrnoGuard errnoGuard;
  if (!windowGate().countsSteps()) return;
  windowGate().step(StepMark::kProgram, trace::StringId{}, trace::nowNs());
}

void trigger(const char* reason) {
  if (isFlight()) session().trigger(reason ? reason : "program");
}

}  // namespace
}  // namespace jitscope::collector

// NOLINTNEXTLINE(readability-identifier-naming): a name of C.
extern "C" __attribute__((visibility("default"))) const JitscopeControl* jitscope_control_v1() {
  namespace collector = jitscope::collector;
  static constexpr JitscopeControl kControl{1,
                                            collector::start,
                                            collector::stop,
                                            collector::isRecordingNow,
                                            collector::step,
                                            collector::trigger};
  return collector::isRecording() ? &kControl : nullptr;
}
