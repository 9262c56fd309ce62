#pragma once

#include <cstdint>

#include "trace/sink.h"

namespace jitscope::compiler {

/// Writes the row about this process.
void describeProcess(trace::EventSink& sink) noexcept;

/// Writes the row about the calling thread, whose kernel id is `thread`.
void describeThread(trace::EventSink& sink, int64_t thread) noexcept;

}  // namespace jitscope::compiler
