// The ways out of a process that run neither destructors nor exit handlers, and the way in.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "collector/inject/cuda_start.h"
#include "collector/inject/original.h"
#include "collector/inject/session.h"
#include "collector/inject/torch_library.h"

namespace {

using Main = int(int, char**, char**);
Main* programMain = nullptr;

// All constructors have run; the program's own code is about to.
int mainUnderObservation(int argumentCount, char** arguments, char** environment) {
  jitscope::collector::observeTorch();
  const int status = programMain(argumentCount, arguments, environment);
  jitscope::collector::quietGpu();
  return status;
}

[[noreturn]] void leaveAtOnce(int status) {
  jitscope::collector::endSession(jitscope::collector::End::kImmediateExit);
  for (;;) syscall(SYS_exit_group, status);
}

}  // namespace

extern "C" {

// By another name here, for <cstdlib> declares `exit` to let nothing through. The C library's does:
// a handler may throw, or be where its thread is cancelled or ends.
[[noreturn]] void exitUnderObservation(int status) asm("exit");

#define JITSCOPE_INTERPOSED __attribute__((visibility("default")))

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the C library's name.
JITSCOPE_INTERPOSED int __libc_start_main(Main* main, int argumentCount, char** arguments,
                                          void (*initialise)(), void (*finalise)(),
                                          void (*finaliseLoader)(), void* stackEnd) {
  programMain = main;
  const auto start =
      jitscope::collector::originalFunction<decltype(__libc_start_main)>("__libc_start_main");
  return start(mainUnderObservation, argumentCount, arguments, initialise, finalise, finaliseLoader,
               stackEnd);
}

JITSCOPE_INTERPOSED void exitUnderObservation(int status) {
  jitscope::collector::quietGpu();
  const auto leave = jitscope::collector::originalFunction<void(int)>("exit");
  leave(status);
  __builtin_unreachable();
}

JITSCOPE_INTERPOSED void _exit(int status) { leaveAtOnce(status); }

JITSCOPE_INTERPOSED void _Exit(int status) noexcept { leaveAtOnce(status); }
}
