#include "compiler/journal/process.h"

#include <pthread.h>

#include <array>

#include "trace/process_row.h"

#ifndef JITSCOPE_VERSION
#define JITSCOPE_VERSION ""
#endif
#ifndef JITSCOPE_TORCH_VERSION
#define JITSCOPE_TORCH_VERSION ""
#endif

namespace jitscope::compiler {

void describeProcess(trace::EventSink& sink) noexcept {
  try {
    trace::ProcessRow row = trace::processRow(sink);
    row.jitscopeVersion = sink.intern(JITSCOPE_VERSION);
    row.torchVersion = sink.intern(JITSCOPE_TORCH_VERSION);
    trace::emit(sink, row);
  } catch (...) {
    // No memory for a few names: the trace goes without this row.
  }
}

void describeThread(trace::EventSink& sink, int64_t thread) noexcept {
  std::array<char, 32> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  trace::emit(sink, trace::ThreadRow{.thread = thread, .name = sink.intern(name.data())});
}

}  // namespace jitscope::compiler
