/// \file
/// For programs that say themselves when they are recorded by `jitscope record`: plain C, also for
/// C++, and nothing to link. Everything here does nothing when the program runs without jitscope.
/// Safe from any thread.
#pragma once

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the recorder offers under the symbol jitscope_control_v1. Later versions add at the end.
struct JitscopeControl {
  unsigned version;  // 1
  void (*start)(void);
  void (*stop)(void);
  int (*isRecording)(void);
  void (*step)(void);
  void (*trigger)(const char* reason);
};

// Null without a recorder. It is looked for once in each file of the program.
// NOLINTBEGIN(readability-identifier-naming,modernize-use-nullptr): this is C.
static inline const struct JitscopeControl* jitscope_control(void) {
  static const struct JitscopeControl* found;
  static int is_looked_for;
  if (!__atomic_load_n(&is_looked_for, __ATOMIC_ACQUIRE)) {
    // The default scope of symbols, whose name the C library only gives with extensions.
    union {
      void* symbol;
      const struct JitscopeControl* (*get)(void);
    } getter = {(void*)0};
    getter.symbol = dlsym((void*)0, "jitscope_control_v1");
    if (getter.symbol) __atomic_store_n(&found, getter.get(), __ATOMIC_RELAXED);
    __atomic_store_n(&is_looked_for, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&found, __ATOMIC_RELAXED);
}

/// Begins to record events from here on, unless they are recorded already.
static inline void jitscope_start(void) {
  const struct JitscopeControl* const control = jitscope_control();
  if (control) control->start();
}

/// Records no events from here on, until the next start.
static inline void jitscope_stop(void) {
  const struct JitscopeControl* const control = jitscope_control();
  if (control) control->stop();
}

/// 1 when events are being recorded now, else 0.
static inline int jitscope_is_recording(void) {
  const struct JitscopeControl* const control = jitscope_control();
  return control ? control->isRecording() : 0;
}

/// A step of the program has ended here: what `jitscope record --steps A..B` counts.
static inline void jitscope_step(void) {
  const struct JitscopeControl* const control = jitscope_control();
  if (control) control->step();
}

/// Has a flight recorder write what just happened. `reason` stands in the trace; it is copied.
static inline void jitscope_trigger(const char* reason) {
  const struct JitscopeControl* const control = jitscope_control();
  if (control) control->trigger(reason);
}
// NOLINTEND(readability-identifier-naming,modernize-use-nullptr)

#ifdef __cplusplus
}
#endif
